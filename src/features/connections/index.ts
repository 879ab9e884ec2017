export {
  type Connection,
  changeSettings,
  createConnection,
  getConnection,
  hookUrl,
  listConnections,
  removeConnection,
  revealUnshown,
} from './connections.ts'
export type { Integration, IntegrationPage, SampleRequest, TriedOut } from './integration.ts'
export {
  type ConnectionDeps,
  countUnknown,
  findByHook,
  learnSettings,
  type OpenConnection,
  openConnection,
  readSettings,
} from './open.ts'
export { asConnectionSays, type CommonSettings, sortSettings, whyLeftOut } from './settings.ts'
