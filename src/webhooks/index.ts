import { defaultHeaders, type RouteGroup, replyWithProblem } from '../lib/http/index.ts'

export type { WebhookDeps } from './dispatch.ts'
export { dryRunSample } from './dry-run-sample.ts'
export { loadIntegrationCatalog } from './integration-catalog.ts'
export {
  type PollingDeps,
  pollingJobs,
  schedulePolls,
  startPolling,
} from './polling/poll-sources.ts'
export { createDocumentReader } from './polling/read-document.ts'
export { createWebhooks } from './receive.ts'
export { startSockets } from './sockets.ts'
export { teamApiOf } from './team-api.ts'

/**
 * The webhooks as a route group of `lib/http`. Errors are short, because people read them in the log of
 * a provider.
 */
export const webhookRouteGroup = (baseUrl: string): RouteGroup => ({
  name: 'webhooks',
  prefix: '/hooks/',
  headers: defaultHeaders(baseUrl),
  // Paths contain the token of the connection.
  logsPattern: true,
  replyToError(error, context) {
    const { detail } = replyWithProblem(error, context)
    context.set.headers['content-type'] = 'application/json'
    return { error: detail }
  },
})
