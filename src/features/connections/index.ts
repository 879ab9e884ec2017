export { createConnection } from './create.ts'
export {
  type ConnectionDeps,
  countRateLimitedRequest,
  countRefusedRequest,
  countUnknownEvent,
  type DecryptedConnection,
  decryptSettings,
  encryptedConnectionColumn,
  findByWebhookToken,
  findDecryptedConnection,
  listDecryptedConnections,
  readSettings,
  secretsOf,
  storeProviderSettings,
} from './decrypted-connection.ts'
export { deleteConnection } from './delete.ts'
export { disconnectConnection } from './disconnect.ts'
export { type Connection, getConnection, listConnections, webhookUrl } from './get.ts'
export {
  type ConnectionHealth,
  type ConnectionWithHealth,
  connectionHealth,
  healthOfConnections,
  listConnectionHealth,
} from './health.ts'
export type {
  AppInstallation,
  DryRunItem,
  Integration,
  IntegrationPage,
  SampleRequest,
} from './integration.ts'
export { findRegistration, saveRegistration } from './registration.ts'
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
  type ConnectionKind,
  filterReason,
  generateSecrets,
  isEvent,
  parseSettings,
} from './settings.ts'
export { clearTokenProblem, saveTokenProblem } from './token-problem.ts'
export { reconnect, replaceTokens } from './tokens.ts'
export { updateConnection } from './update.ts'
export { listConnectionsWithSocket } from './with-socket.ts'
