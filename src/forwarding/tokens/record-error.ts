import { TokenRefusedError, TokenRevokedError } from '../../../integrations/kit/provider-error.ts'
import { disconnectConnection, saveTokenProblem } from '../../features/connections/index.ts'
import { systemContext } from '../../lib/context.ts'
import type { ForwardingDeps } from '../deps.ts'

/** An attempt to send something through a connection, and when it began. */
interface Attempt {
  teamId: string
  connectionId: string
  startedAt: Date
}

/**
 * Stores what an error says about the token of a connection: its page says that the provider does not accept it, and
 * the connection is disconnected when the app or its token was removed, as the report of that can be lost. A token that
 * the connection has got since the attempt began stays.
 */
export async function recordTokenError(
  { sql, now }: Pick<ForwardingDeps, 'sql' | 'now'>,
  { teamId, connectionId, startedAt }: Attempt,
  error: unknown,
): Promise<void> {
  const ctx = systemContext({ sql, now }, teamId)
  if (error instanceof TokenRefusedError)
    await saveTokenProblem(ctx, { connectionId, problem: error.message, startedAt })
  if (!(error instanceof TokenRevokedError)) return
  const at = new Date(Math.floor(startedAt.getTime() / 1000) * 1000)
  await disconnectConnection(ctx, { id: connectionId, reason: 'revoked', at })
}
