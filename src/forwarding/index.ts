export { planMessages, schedulePlanning } from './chat-messages/plan.ts'
export { type ForwarderDeps, forwarderJobs, startForwarder } from './forwarder.ts'
export { refreshTokens, scheduleTokenRefreshes } from './refresh-tokens.ts'
export { revokeTokens, scheduleRevocations } from './revoke-tokens.ts'
