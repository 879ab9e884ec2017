import { daysBefore } from '../../lib/clock.ts'
import {
  type Context,
  inTransaction,
  type ReadContext,
  type ServiceContext,
} from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import type { JobQueue } from '../../lib/queue/index.ts'
import { sendMessages } from '../chat-messages/index.ts'
import {
  type ContributorRole,
  deleteContributorRows,
  deleteContributorsBefore,
  deletePeopleOfRemovedConnections,
  existsPrivate,
  insertContributors,
  selectBlocksOf,
  selectPerson,
  selectRoles,
  selectSenders,
  selectUnnotified,
  upsertWantsMessages,
  upsertWantsReminders,
} from './sql.ts'

/** A person of a chat who has to do with a block. */
interface Contributor {
  /** The id of the person in the chat. */
  user: string
  role: ContributorRole
}

/** A person of a chat. */
interface PersonRef {
  connectionId: string
  userId: string
}

/** Stores who has to do with a block that a connection has created. */
export async function addContributors(
  { sql, now, actor: { teamId } }: Context,
  {
    blockId,
    connectionId,
    contributors,
    fromPrivate,
  }: {
    blockId: string
    connectionId: string
    contributors: readonly Contributor[]
    /** Whether the content comes from a private conversation. */
    fromPrivate: boolean
  },
): Promise<void> {
  if (contributors.length === 0) return
  const shared = { team_id: teamId, block_id: blockId, connection_id: connectionId }
  const created_at = now()
  const rows = contributors.map(({ user, role }) => ({
    ...shared,
    user_id: user,
    role,
    from_private: fromPrivate,
    created_at,
  }))
  await withDeadline(insertContributors(sql, rows))
}

/** Removes everybody from blocks that were withdrawn: the list of a person's own news is about what was sent. */
export async function deleteContributors(
  { sql, actor: { teamId } }: Context,
  { blockIds }: { blockIds: readonly string[] },
): Promise<void> {
  if (blockIds.length > 0) await withDeadline(deleteContributorRows(sql, teamId, blockIds))
}

const perRun = 200

/**
 * Stores a message to every contributor of the newsletters that were sent in a period: one for each person
 * and newsletter. Returns how many there are; up to 200 in one call.
 */
export async function notifyContributors(
  ctx: Context & { queue: JobQueue },
  { connectionId, from, until }: { connectionId: string; from: Date; until: Date },
): Promise<number> {
  const { teamId } = ctx.actor
  const period = { from, until, limit: perRun }
  const rows = await withDeadline(selectUnnotified(ctx.sql, teamId, connectionId, period))
  if (rows.length === 0) return 0
  const messages = rows.map(({ newsletter_id: subject, user_id: recipient }) => ({
    connectionId,
    kind: 'published' as const,
    recipient,
    subject,
  }))
  return await inTransaction(ctx, async (txCtx) => (await sendMessages(txCtx, messages)).length)
}

/** The blocks among these to which a person contributed, and those in which the person is thanked. */
export async function rolesOf(
  { sql, actor }: ReadContext,
  { blockIds, ...person }: PersonRef & { blockIds: readonly string[] },
): Promise<{ contributed: ReadonlySet<string>; thanked: ReadonlySet<string> }> {
  const rows = await withDeadline(selectRoles(sql, actor.teamId, person, blockIds))
  const ids = (isThanked: boolean) =>
    rows.filter(({ role }) => (role === 'recipient') === isThanked).map(({ block_id }) => block_id)
  return { contributed: new Set(ids(false)), thanked: new Set(ids(true)) }
}

const maxListed = 10

/** The newest ten blocks that a person sent or wrote. */
export async function blocksOfPerson(
  { sql, actor }: ReadContext,
  person: PersonRef,
): Promise<string[]> {
  return await withDeadline(selectBlocksOf(sql, actor.teamId, person, maxListed))
}

/** The people who sent a block. */
export async function listSenders(
  { sql, actor }: ReadContext,
  { blockId }: { blockId: string },
): Promise<PersonRef[]> {
  const rows = await withDeadline(selectSenders(sql, actor.teamId, blockId))
  return rows.map(({ connection_id, user_id }) => ({
    connectionId: connection_id,
    userId: user_id,
  }))
}

/** Whether the content of a block comes from a private conversation. */
export async function isFromPrivate(
  { sql, actor }: ReadContext,
  { blockId }: { blockId: string },
): Promise<boolean> {
  return await withDeadline(existsPrivate(sql, actor.teamId, blockId))
}

/** Whether a person wants messages from Tidings; people do unless they have said otherwise. */
export async function wantsMessages(
  { sql, actor }: ReadContext,
  person: PersonRef,
): Promise<boolean> {
  return (await withDeadline(selectPerson(sql, actor.teamId, person)))?.wants_messages ?? true
}

/** Whether a person wants to be reminded of questions; people do unless they have said otherwise. */
export async function wantsReminders(
  { sql, actor }: ReadContext,
  person: PersonRef,
): Promise<boolean> {
  return (await withDeadline(selectPerson(sql, actor.teamId, person)))?.wants_reminders ?? true
}

/** The id of the member whom a person has linked to their account in the chat; null when there is none. */
export async function findLinkedMember(
  { sql, actor }: ReadContext,
  person: PersonRef,
): Promise<string | null> {
  return (await withDeadline(selectPerson(sql, actor.teamId, person)))?.member_id ?? null
}

/** Stores whether a person wants messages from Tidings. */
export async function setWantsMessages(
  { sql, now, actor }: Context,
  { wanted, ...person }: PersonRef & { wanted: boolean },
): Promise<void> {
  const change = { wantsMessages: wanted, at: now() }
  await withDeadline(upsertWantsMessages(sql, actor.teamId, person, change))
}

/** Stores whether a person wants to be reminded of questions. */
export async function setWantsReminders(
  { sql, now, actor }: Context,
  { wanted, ...person }: PersonRef & { wanted: boolean },
): Promise<void> {
  const change = { wantsReminders: wanted, at: now() }
  await withDeadline(upsertWantsReminders(sql, actor.teamId, person, change))
}

const retentionDays = 400

/** Deletes contributors after 400 days, and the people of connections that were removed. */
export async function purgeContributors({ sql, now }: ServiceContext): Promise<void> {
  const before = daysBefore(now(), retentionDays)
  await withDeadline(deleteContributorsBefore(sql, before))
  await withDeadline(deletePeopleOfRemovedConnections(sql))
}
