import type { Context, ReadContext } from '../../lib/context.ts'
import type { ConnectionDeps } from './secrets/decrypted-connection.ts'

/** What functions that read connections work with. */
export type ConnectionReadContext = ReadContext & Pick<ConnectionDeps, 'encryption'>

/** What functions that change connections work with. */
export type ConnectionContext = Context & Pick<ConnectionDeps, 'encryption'>
