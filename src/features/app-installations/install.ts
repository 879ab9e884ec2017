import { type Context, inTransaction, type TxContext } from '../../lib/context.ts'
import { AppError } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/index.ts'
import {
  type ConnectionAdapter,
  type ConnectionDeps,
  createConnection,
  reconnect,
  replaceTokens,
} from '../connections/index.ts'
import { requireRoleLock } from '../members/index.ts'
import { consumeOneTimeToken, createOneTimeToken } from '../one-time-tokens/index.ts'
import { lockInstallation, upsertInstallation } from './sql.ts'

const stateMinutes = 10

interface Installer {
  /** The account of the admin. */
  accountId: string
  /** The slug of the integration. */
  adapter: string
}

/**
 * The state of an installation that an admin starts: it works once, for ten minutes, for this admin and this
 * team.
 */
export async function startInstallation(
  ctx: Context,
  { accountId, adapter }: Installer,
): Promise<string> {
  const data = { account: accountId, adapter }
  return await createOneTimeToken(ctx, { purpose: 'install_app', data, minutes: stateMinutes })
}

/** Uses up the state of an installation. Throws `not_found` for one that is not of this admin and team. */
export async function requireInstallationState(
  ctx: Context,
  { accountId, adapter, state }: Installer & { state: string },
): Promise<void> {
  const data = await consumeOneTimeToken(ctx, { purpose: 'install_app', token: state })
  if (data?.['account'] === accountId && data['adapter'] === adapter) return
  throw new AppError(
    'not_found',
    'This approval has expired, was used, or belongs to another sign-in. Add the app again.',
  )
}

/** A workspace to which an admin has added the operator's app. */
interface NewInstallation {
  adapter: ConnectionAdapter
  workspaceId: string
  workspaceName: string
  settings: Record<string, string>
  expiring: { refreshToken: string; expiresAt: Date } | null
}

type InstallContext = Context & Pick<ConnectionDeps, 'encryption'>

/**
 * Creates the connection to a workspace, or replaces its tokens when the team has one. Returns its id. Throws
 * `invalid_transition` when another team is connected to the workspace, and `insufficient_scope` when the member who
 * acts is no longer an admin.
 */
export async function completeInstallation(
  ctx: InstallContext,
  installation: NewInstallation,
): Promise<{ connectionId: string }> {
  return await inTransaction(ctx, async (txCtx) => {
    await requireRoleLock(txCtx, ['admin'])
    const { adapter, workspaceId, expiring } = installation
    const existing = await lockInstallation(txCtx.sql, adapter.slug, workspaceId)
    if (existing && existing.team_id !== ctx.actor.teamId) throw otherTeam()
    const connectionId = existing
      ? await connectAgain(txCtx, existing.connection_id, installation)
      : await connect(txCtx, installation)
    const isStored = await upsertInstallation(txCtx.sql, {
      team_id: ctx.actor.teamId,
      connection_id: connectionId,
      adapter: adapter.slug,
      workspace_id: workspaceId,
      installed_at: ctx.now(),
      expires_at: expiring?.expiresAt ?? null,
    })
    if (!isStored) throw otherTeam()
    return { connectionId }
  })
}

const otherTeam = () =>
  new AppError(
    'invalid_transition',
    'Another team is connected to this workspace. Its admins can send the news of single channels to your team with a route.',
  )

async function connect(
  ctx: TxContext<InstallContext>,
  { adapter, workspaceName, settings, expiring }: NewInstallation,
): Promise<string> {
  const label = workspaceName.replace(/\p{Cc}/gu, '').slice(0, 100)
  const { id } = await createConnection(ctx, { adapter, given: settings, label })
  if (expiring)
    await replaceTokens(ctx, { adapter, id, settings, refreshToken: expiring.refreshToken })
  return id
}

async function connectAgain(
  ctx: TxContext<InstallContext>,
  id: string,
  { adapter, settings, expiring }: NewInstallation,
): Promise<string> {
  await replaceTokens(ctx, { adapter, id, settings, refreshToken: expiring?.refreshToken ?? null })
  await reconnect(ctx, id)
  await recordAudit(ctx, 'connection_changed', `${adapter.slug} ${id}`)
  return id
}
