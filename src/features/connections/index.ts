export { createConnection } from './create.ts'
export { deleteConnection } from './delete.ts'
export { type Connection, getConnection, listConnections, webhookUrl } from './get.ts'
export {
  type ConnectionHealth,
  type ConnectionWithHealth,
  connectionHealth,
  healthOfConnections,
  listConnectionHealth,
} from './health.ts'
export type { DryRunItem, Integration, IntegrationPage, SampleRequest } from './integration.ts'
export {
  type ConnectionDeps,
  countRateLimitedRequest,
  countRefusedRequest,
  countUnknownEvent,
  encryptedConnectionColumn,
  findByWebhookToken,
  listConnectionsOf,
  type OpenConnection,
  openConnection,
  readSettings,
  storeProviderSettings,
} from './open.ts'
export { revealSecretsOnce } from './reveal-secrets.ts'
export { rotateConnectionKey } from './rotate-key.ts'
export {
  addRoute,
  type ConnectionRoute,
  listRoutes,
  removeRoute,
  routedConnection,
} from './routes.ts'
export {
  applyConnectionSettings,
  type CommonSettings,
  filterReason,
  generateSecrets,
  parseSettings,
} from './settings.ts'
export { updateConnection } from './update.ts'
