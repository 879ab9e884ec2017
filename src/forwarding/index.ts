export { type ForwarderDeps, forwarderJobs, startForwarder } from './forwarder.ts'
