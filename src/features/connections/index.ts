export { createConnection } from './create.ts'
export { deleteConnection } from './delete.ts'
export { disconnectConnection } from './disconnect.ts'
export { type Connection, getConnection, listConnections, webhookUrl } from './get.ts'
export { countRateLimitedRequest, countRefusedRequest, countUnknownEvent } from './health/count.ts'
export {
  type ConnectionHealth,
  type ConnectionWithHealth,
  getConnectionHealth,
  listConnectionHealth,
  listHealthByConnection,
} from './health/index.ts'
export type {
  AppInstallation,
  DryRunItem,
  Integration,
  IntegrationPage,
  SampleRequest,
} from './integration.ts'
export { findRegistration, saveRegistration } from './registration.ts'
export {
  addRoute,
  type ConnectionRoute,
  listRoutes,
  removeRoute,
  routedConnection,
} from './routes/index.ts'
export {
  type ConnectionDeps,
  type DecryptedConnection,
  decryptSettings,
  encryptedConnectionColumn,
  findByWebhookToken,
  findDecryptedConnection,
  listDecryptedConnections,
  readSettings,
  secretsOf,
} from './secrets/decrypted-connection.ts'
export { listConnectionsWithSocket } from './secrets/list-with-socket.ts'
export { revealSecretsOnce } from './secrets/reveal.ts'
export { rotateConnectionKey } from './secrets/rotate-key.ts'
export { storeProviderSettings } from './secrets/store-provider-settings.ts'
export {
  applyConnectionSettings,
  type CommonSettings,
  filterReason,
  isEvent,
} from './settings/common-settings.ts'
export {
  type ConnectionAdapter,
  generateSecrets,
  parseSettings,
} from './settings/parse-settings.ts'
export { reconnect, replaceTokens } from './tokens/index.ts'
export { clearTokenProblem, saveTokenProblem } from './tokens/problem.ts'
export { updateConnection } from './update.ts'
