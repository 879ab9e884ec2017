import { TokenRevokedError } from '../../integrations/kit/provider-error.ts'
import { disconnectConnection } from '../features/connections/index.ts'
import { systemContext } from '../lib/context.ts'
import type { ForwardingDeps } from './deps.ts'

/** An attempt to send something through a connection, and when it began. */
interface Attempt {
  teamId: string
  connectionId: string
  startedAt: Date
}

/**
 * Disconnects a connection whose provider says that the app or its token was removed, as its report does, which can be
 * lost. A token that the connection has got since the attempt began stays.
 */
export async function disconnectRevoked(
  { sql, now }: Pick<ForwardingDeps, 'sql' | 'now'>,
  { teamId, connectionId: id, startedAt }: Attempt,
  error: unknown,
): Promise<void> {
  if (!(error instanceof TokenRevokedError)) return
  const at = new Date(Math.floor(startedAt.getTime() / 1000) * 1000)
  const ctx = systemContext({ sql, now }, teamId)
  await disconnectConnection(ctx, { id, reason: 'revoked', at })
}
