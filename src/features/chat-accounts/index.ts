import type { Now } from '../../lib/clock.ts'
import {
  type Context,
  inTransaction,
  type LinkContext,
  type ReadContext,
  type ServiceContext,
  type TxContext,
} from '../../lib/context.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/index.ts'
import {
  consumeOneTimeToken,
  createOneTimeToken,
  findOneTimeToken,
} from '../one-time-tokens/index.ts'
import {
  deleteAccountLink,
  deleteLinksOf,
  type LinkedAccountRow,
  selectConnectionOf,
  selectLinkedAccounts,
  upsertAccountLink,
} from './sql.ts'

const purpose = 'link_chat_account'
const validMinutes = 15

/** An account in a chat. */
interface ChatAccount {
  connectionId: string
  userId: string
  /** The name that the chat shows. */
  name: string
}

/**
 * Creates the link with which a member says that an account of a chat is theirs. It works once, for 15
 * minutes. Returns its address, which only the person with that account may see.
 */
export async function createAccountLink(
  ctx: LinkContext,
  { connectionId, userId, name }: ChatAccount,
): Promise<string> {
  const data = { connection: connectionId, user: userId, name: name.slice(0, 100) }
  const token = await createOneTimeToken(ctx, { purpose, data, minutes: validMinutes })
  return `${ctx.baseUrl}/account/chat/${token}`
}

/** The account that a link is about, with the team and the adapter of its connection. */
export interface AccountLink extends ChatAccount {
  teamId: string
  adapter: string
}

/** What a link is about; undefined for one that was used, has expired, or belongs to a removed connection. */
export async function findAccountLink(
  { sql, now }: { sql: Sql; now: Now },
  { token }: { token: string },
): Promise<AccountLink | undefined> {
  const found = await findOneTimeToken({ sql, now }, { token, purpose })
  if (!found) return undefined
  const { connection: connectionId = '', user: userId = '', name = '' } = found.data
  const connection = await withDeadline(selectConnectionOf(sql, found.teamId, connectionId))
  return connection && { teamId: found.teamId, ...connection, connectionId, userId, name }
}

/** Links the account of a link to a member. Throws `not_found` for a link that does not work any more. */
export async function linkAccount(
  ctx: Context,
  { token, memberId }: { token: string; memberId: string },
): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (txCtx) => {
    const data = await consumeOneTimeToken(txCtx, { token, purpose })
    const { connection: connectionId = '', user: userId = '', name = '' } = data ?? {}
    const connection = await selectConnectionOf(txCtx.sql, teamId, connectionId)
    if (!connection) throw notFound('The link')
    const at = txCtx.now()
    await upsertAccountLink(txCtx.sql, teamId, { connectionId, userId }, { memberId, at })
    await recordAudit(txCtx, 'chat_account_linked', `${name} (${userId}, ${connection.adapter})`)
  })
}

/** The accounts in chats that a member has linked. */
export async function listLinkedAccounts(
  { sql, actor: { teamId } }: ReadContext,
  { memberId }: { memberId: string },
): Promise<LinkedAccountRow[]> {
  return await withDeadline(selectLinkedAccounts(sql, teamId, memberId))
}

/** Removes the link between an account of a chat and a member. */
export async function unlinkAccount(
  ctx: Context,
  { connectionId, userId, memberId }: { connectionId: string; userId: string; memberId: string },
): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (txCtx) => {
    const change = { memberId, at: txCtx.now() }
    if (!(await deleteAccountLink(txCtx.sql, teamId, { connectionId, userId }, change))) return
    await recordAudit(txCtx, 'chat_account_unlinked', userId)
  })
}

/** Removes the links of a person who has left a team to accounts of its chats. */
export async function unlinkAccountsOf(
  { sql, now }: TxContext<ServiceContext>,
  { teamId, memberId }: { teamId: string; memberId: string },
): Promise<void> {
  await deleteLinksOf(sql, { teamId, memberId, at: now() })
}
