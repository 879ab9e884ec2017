export {
  type Connection,
  createConnection,
  hookUrl,
  listConnections,
  removeConnection,
} from './connections.ts'
export {
  type ConnectionDeps,
  countUnknown,
  findByHook,
  learnSettings,
  type OpenConnection,
  openConnection,
  readSettings,
} from './open.ts'
