import {
  type Context,
  inTransaction,
  memberIdOf,
  type ReadContext,
  type ServiceContext,
  type TxContext,
} from '../../lib/context.ts'
import { sendChange } from '../../lib/database/changes.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { invalidField, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { countOwnActions, recordAudit } from '../audit-log/index.ts'
import { getBlock } from '../content-blocks/index.ts'
import { findMember } from '../members/index.ts'
import {
  type EmailText,
  type NotifyContext,
  notifyMembers,
  type Recipient,
} from '../notifications/index.ts'
import { deleteRowsOfPurgedBlocks } from '../purged-blocks/index.ts'
import { findMentions } from './mentions.ts'
import {
  type Comment,
  type DiscussionSummary,
  deleteAssignment,
  deleteCommentRow,
  type EditorRow,
  insertComment,
  selectComments,
  selectDiscussionSummaries,
  selectEditors,
  upsertAssignment,
} from './sql.ts'

export { splitMentions } from './mentions.ts'
export type { Comment, DiscussionSummary, EditorRow as Editor }

const maxComments = 200

/** The most people who get an email about one comment. */
const maxMentions = 20

/** The most comments and assignments of one person within an hour: each of them can send emails. */
const maxPerHour = 100
const hourMs = 3_600_000

interface NewComment {
  blockId: string
  /** Who writes it. */
  memberId: string
  body: string
  /** Writes the email to a member whom the comment mentions. */
  compose(recipient: Recipient, block: { title: string }): EmailText
}

/**
 * Adds a comment to a block. The editors whom it mentions get an email if they want one, except its
 * author. Throws `not_found`, and `validation_failed` for a comment that mentions more than 20 people and for one that
 * comes too soon after many others of its author.
 */
export async function addComment(
  ctx: NotifyContext,
  { blockId, memberId, body, compose }: NewComment,
): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (txCtx) => {
    const block = await getBlock(txCtx, blockId)
    const mentioned = findMentions(body, await listEditors(txCtx))
    if (mentioned.length > maxMentions)
      throw invalidField('/body', `a comment mentions at most ${maxMentions} people`, 'too_many')
    await requireUnderLimit(txCtx, '/body')
    const at = txCtx.now()
    const row = { id: newId('bc', at), block_id: blockId, member_id: memberId, body, mentioned }
    await insertComment(txCtx.sql, teamId, { ...row, created_at: at })
    await notifyMembers(txCtx, {
      kind: 'mentions',
      memberIds: mentioned.filter((id) => id !== memberId),
      compose: (recipient) => compose(recipient, block),
    })
    await recordAudit(txCtx, 'block_commented', block.title)
    await announce(txCtx, blockId)
  })
}

/** Throws `validation_failed` for a person who has written many comments or assigned many blocks within an hour. */
async function requireUnderLimit(ctx: TxContext, pointer: string): Promise<void> {
  const since = new Date(ctx.now().getTime() - hourMs)
  const actions = ['block_commented', 'block_assigned'] as const
  if ((await countOwnActions(ctx, { actions, since })) < maxPerHour) return
  const message = `you have written comments or assigned blocks ${maxPerHour} times within an hour; try again later`
  throw invalidField(pointer, message, 'too_many')
}

/** The pages that show the block learn that its comments or its assignee changed. */
const announce = (ctx: TxContext, blockId: string): Promise<void> =>
  sendChange(ctx.sql, {
    topic: 'blocks',
    team: ctx.actor.teamId,
    blocks: [blockId],
    by: memberIdOf(ctx),
  })

/** Deletes a comment; without `memberId`, also that of another member. Throws `not_found`. */
export async function deleteComment(
  ctx: Context,
  comment: { id: string; blockId: string; memberId: string | null },
): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    const { title } = await getBlock(txCtx, comment.blockId)
    const isDeleted = await deleteCommentRow(txCtx.sql, ctx.actor.teamId, comment)
    if (!isDeleted) throw notFound('The comment')
    await recordAudit(txCtx, 'block_comment_deleted', title)
    await announce(txCtx, comment.blockId)
  })
}

/** The newest 200 comments on a block, the oldest first. */
export async function listComments({ sql, actor }: ReadContext, id: string): Promise<Comment[]> {
  return await withDeadline(selectComments(sql, actor.teamId, id, maxComments))
}

const editorsPerPage = 500

/** All members who can be mentioned and assigned, by name. */
export async function listEditors({ sql, actor }: ReadContext): Promise<EditorRow[]> {
  const editors: EditorRow[] = []
  for (;;) {
    const after = editors.at(-1) ?? { id: '', name: '' }
    const slice = { after, limit: editorsPerPage }
    const page = await withDeadline(selectEditors(sql, actor.teamId, slice))
    editors.push(...page)
    if (page.length < editorsPerPage) return editors
  }
}

interface Assignment {
  blockId: string
  /** Who works on the block; null: nobody. */
  memberId: string | null
  /** Who decides that; they get no email about themselves. */
  byMemberId: string
  /** Writes the email to the member. */
  compose(recipient: Recipient, block: { title: string }): EmailText
}

/**
 * Assigns a block to an editor, who gets an email if they want one. Throws `not_found`, and
 * `validation_failed` for a person who cannot edit blocks and for an assignment that comes too soon after many others.
 */
export async function assignBlock(
  ctx: NotifyContext,
  { blockId, memberId, byMemberId, compose }: Assignment,
): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (txCtx) => {
    const { sql } = txCtx
    const block = await getBlock(txCtx, blockId)
    if (memberId === null) {
      if (await deleteAssignment(sql, teamId, blockId)) {
        await recordAudit(txCtx, 'block_unassigned', block.title)
        await announce(txCtx, blockId)
      }
      return
    }
    const editor = await findMember(txCtx, memberId)
    if (!editor || editor.role === 'viewer')
      throw invalidField('/member', 'must be an editor of this team', 'unknown')
    await requireUnderLimit(txCtx, '/member')
    if (!(await upsertAssignment(sql, teamId, { blockId, memberId, at: txCtx.now() }))) return
    await notifyMembers(txCtx, {
      kind: 'assignments',
      memberIds: memberId === byMemberId ? [] : [memberId],
      compose: (recipient) => compose(recipient, block),
    })
    await recordAudit(txCtx, 'block_assigned', `${block.title} (${editor.name})`)
    await announce(txCtx, blockId)
  })
}

/** The number of comments and the assignee of each of these blocks, by the id of the block. */
export async function listDiscussionSummaries(
  { sql, actor }: ReadContext,
  blockIds: readonly string[],
): Promise<ReadonlyMap<string, DiscussionSummary>> {
  if (blockIds.length === 0) return new Map()
  const rows = await withDeadline(selectDiscussionSummaries(sql, actor.teamId, blockIds))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Deletes the comments and assignments of all teams whose block no longer exists. */
export async function purgeComments(ctx: ServiceContext & { sql: Sql }): Promise<void> {
  await deleteRowsOfPurgedBlocks(ctx, { table: 'block_comments' })
  await deleteRowsOfPurgedBlocks(ctx, { table: 'block_assignments' })
}
