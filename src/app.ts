import { Elysia } from 'elysia'
import type { Logger } from 'pino'
import * as v from 'valibot'
import * as typedText from '../integrations/kit/text/typed-text.ts'
import { createDocs, docsRouteGroups } from './api/docs/index.ts'
import { type ApiDeps, apiRouteGroup, createApi, otherApiRouteGroup } from './api/index.ts'
import { operationsOf } from './api/openapi/operation.ts'
import {
  consoleRouteGroup,
  createConsole,
  createConsoleDeps,
  type Integrations,
  type SignInSettings,
} from './console/index.ts'
import { replayDelivery } from './features/deliveries/index.ts'
import type { InstallationSettings } from './features/health/index.ts'
import type { Now } from './lib/clock.ts'
import type { Sql } from './lib/database/db.ts'
import { http, routing } from './lib/http/index.ts'
import { createHealthRoutes, type HealthDeps } from './server/health-routes.ts'
import { media, mediaRouteGroup } from './server/serve-images.ts'
import type { Tracing } from './tracing/index.ts'
import {
  createWebhooks,
  loadIntegrationCatalog,
  type WebhookDeps,
  webhookRouteGroup,
} from './webhooks/index.ts'

export interface AppDeps {
  /** The URL of the service, without a slash at the end. */
  baseUrl: string
  sql: Sql
  drain: HealthDeps['drain']
  metrics: HealthDeps['metrics']
  /** Null: there are no traces. */
  tracing: Tracing | null
  api: Omit<ApiDeps, 'baseUrl'>
  /** Without adapters, no provider can be connected. */
  webhooks: WebhookDeps
  log: Logger
  now: Now
  trustedProxies: number
  /** The installation's secret. */
  secret: string
  /** The settings that the health page of the console checks. */
  installation: InstallationSettings
  /** How people can sign in to the console. */
  signIn: SignInSettings
  /** The address with which a phone opens the service now, or null. */
  phoneUrl(): string | null
  /** Whether emails are sent; otherwise pages show links to copy. */
  mail: boolean
}

/** The whole service as one Elysia app; it opens no connection and listens on no port. */
export function createApp(deps: AppDeps) {
  const { baseUrl, log } = deps
  // Elysia writes what is wrong, each time with the whole input, into a text; `lib/parse.ts` looks for all errors.
  v.setGlobalConfig({ abortEarly: true })
  const apiDeps = { ...deps.api, baseUrl }
  const api = createApi(apiDeps)
  const integrations = integrationsOf(deps.webhooks)
  const consoleDeps = createConsoleDeps({ ...deps, ...deps.api, integrations, typedText })
  const routeGroups = [
    apiRouteGroup(apiDeps),
    otherApiRouteGroup(baseUrl),
    mediaRouteGroup(baseUrl),
    ...docsRouteGroups(baseUrl),
    webhookRouteGroup(baseUrl),
    consoleRouteGroup(consoleDeps),
  ]
  const { drain, trustedProxies, metrics } = deps
  const ignored = [
    '/healthz',
    '/readyz',
    '/version',
    ...(metrics?.port === null ? ['/metrics'] : []),
  ]
  return new Elysia(routing)
    .use(deps.tracing?.requests ?? new Elysia())
    .use(http({ log, routeGroups, ignored, drain, trustedProxies }))
    .use(createHealthRoutes(deps))
    .use(media(deps.api.images))
    .use(createDocs({ baseUrl, operations: operationsOf(api.routes) }))
    .use(api)
    .use(createWebhooks({ deps: deps.webhooks, baseUrl }))
    .use(createConsole(consoleDeps))
}

/** The functions of the webhooks that the console needs; it may not import them. */
const integrationsOf = (webhooks: WebhookDeps): Integrations => ({
  ...webhooks,
  catalog: loadIntegrationCatalog(webhooks),
  async replay(ctx, deliveryId) {
    await replayDelivery({ ...ctx, queue: webhooks.queue }, deliveryId)
  },
})
