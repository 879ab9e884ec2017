import { type Context, inTransaction, type LinkContext } from '../../lib/context.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import { newLinkToken } from '../../lib/ids.ts'
import { recordAudit } from '../audit-log/index.ts'
import {
  deleteLink,
  type SubmissionLinkRow,
  type SubmissionTeamRow,
  selectLink,
  selectTeamOfLink,
  updateRequiresSignIn,
  upsertLink,
} from './sql.ts'

/** The link with which people outside the team send news to it. */
export type SubmissionLink = SubmissionLinkRow

/** The link of the actor's team, or null. */
export async function findSubmissionLink({ sql, actor }: Context): Promise<SubmissionLink | null> {
  return (await withDeadline(selectLink(sql, actor.teamId))) ?? null
}

/** The address of the submission form of a team. */
export const submissionAddress = (baseUrl: string, slug: string, token: string): string =>
  `${baseUrl}/submit/${slug}/${token}`

/** The address of the submission form of the actor's team; null without one. */
export async function findSubmissionAddress({
  sql,
  actor,
  baseUrl,
}: LinkContext): Promise<string | null> {
  const row = await withDeadline(selectLink(sql, actor.teamId))
  return row ? submissionAddress(baseUrl, row.team_slug, row.token) : null
}

/**
 * Creates the link of the actor's team. An earlier link stops working; the setting who may use it
 * stays.
 */
export async function createSubmissionLink(ctx: Context): Promise<SubmissionLink> {
  return await inTransaction(ctx, async (txCtx) => {
    const { sql, now, actor } = txCtx
    const earlier = await selectLink(sql, actor.teamId)
    const link = {
      token: newLinkToken(),
      requires_sign_in: earlier?.requires_sign_in ?? false,
    }
    await upsertLink(sql, actor.teamId, link, now())
    await recordAudit(txCtx, 'submission_link_created')
    return link
  })
}

/** Changes whether only signed-in members may use the link. Throws `not_found` without a link. */
export async function updateSubmissionLink(
  ctx: Context,
  { requiresSignIn }: { requiresSignIn: boolean },
): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    const isChanged = await updateRequiresSignIn(txCtx.sql, txCtx.actor.teamId, requiresSignIn)
    if (!isChanged) throw notFound('The link')
    await recordAudit(txCtx, 'submission_link_changed')
  })
}

/** Deletes the link, which stops working at once. Throws `not_found` without a link. */
export async function deleteSubmissionLink(ctx: Context): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    if (!(await deleteLink(txCtx.sql, txCtx.actor.teamId))) throw notFound('The link')
    await recordAudit(txCtx, 'submission_link_deleted')
  })
}

/** The team of a link. Throws `not_found` for a link that is not in use. */
export async function getTeamOfLink(
  { sql }: { sql: Sql },
  { slug, token }: { slug: string; token: string },
): Promise<SubmissionTeamRow> {
  const team = await withDeadline(selectTeamOfLink(sql, slug, token))
  if (!team) throw notFound('This form')
  return team
}
