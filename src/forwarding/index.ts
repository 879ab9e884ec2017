export { type ForwarderDeps, forwarderJobs, startForwarder } from './forwarder.ts'
export { planMessages, schedulePlanning } from './messages/plan.ts'
