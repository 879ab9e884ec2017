export {
  type Connection,
  createConnection,
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
