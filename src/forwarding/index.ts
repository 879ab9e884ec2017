export { type ForwarderDeps, startForwarder } from './forwarder.ts'
