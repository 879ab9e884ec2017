export {
  type Connection,
  changeSettings,
  createConnection,
  getConnection,
  listConnections,
  removeConnection,
  revealSecretsOnce,
  rotateConnectionKey,
  webhookUrl,
} from './connections.ts'
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
  type OpenConnection,
  openConnection,
  readSettings,
  storeProviderSettings,
} from './open.ts'
export {
  applyConnectionSettings,
  type CommonSettings,
  filterReason,
  generateSecrets,
  parseSettings,
} from './settings.ts'
