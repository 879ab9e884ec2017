export { dryRunEvent } from './compose.ts'
export { type Forwarder, type ForwarderDeps, startForwarder } from './forwarder.ts'
export { withProvider } from './provider-api.ts'
