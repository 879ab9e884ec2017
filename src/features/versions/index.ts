import * as v from 'valibot'
import { daysBefore } from '../../lib/clock.ts'
import {
  type Actor,
  memberIdOf,
  type ReadContext,
  type ServiceContext,
  type TxContext,
} from '../../lib/context.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import { deleteRowsOfPurgedBlocks } from '../purged-blocks/index.ts'
import { BlockContent, NewsletterContent } from './content.ts'
import {
  deleteVersions,
  insertBlockVersions,
  insertNewsletterVersion,
  selectContent,
  selectVersions,
  type Versioned,
  type VersionRow,
} from './sql.ts'

export type { BlockContent, NewsletterContent } from './content.ts'
export type { Versioned, VersionRow } from './sql.ts'

/** How long versions are kept, in days. */
const retentionDays = 400

const unknownAuthor = { member_id: null, actor: null, restored_version: null }

/** Stores what blocks contain before their first change; their author was not recorded. */
export async function saveFirstBlockVersions(
  { sql, actor }: TxContext,
  ids: readonly string[],
): Promise<void> {
  await insertBlockVersions(sql, actor.teamId, ids, unknownAuthor)
}

/** Stores the versions of blocks that the actor has just made. Call it in the transaction of the change. */
export async function recordBlockVersions(
  ctx: TxContext,
  { ids, restored }: { ids: readonly string[]; restored?: number | undefined },
): Promise<void> {
  await insertBlockVersions(ctx.sql, ctx.actor.teamId, ids, authorOf(ctx, restored ?? null))
}

/** Stores the version of a newsletter that the actor has just made, in the transaction of the change. */
export async function recordNewsletterVersion(
  ctx: TxContext,
  { id, restored }: { id: string; restored?: number | undefined },
): Promise<void> {
  await insertNewsletterVersion(ctx.sql, ctx.actor.teamId, id, authorOf(ctx, restored ?? null))
}

const authorOf = (ctx: { actor: Actor }, restored_version: number | null) => ({
  member_id: memberIdOf(ctx),
  actor: ctx.actor.name,
  restored_version,
})

/** The versions of a block or a newsletter, newest first; none before its first change. */
export async function listVersions(
  { sql, actor }: ReadContext,
  { kind, id }: { kind: Versioned; id: string },
): Promise<VersionRow[]> {
  return await withDeadline(selectVersions(sql, actor.teamId, kind, id))
}

interface VersionId {
  id: string
  version: number
}

/** What a version of a block contains. Throws `not_found`. */
export const getBlockVersion = async (ctx: ReadContext, version: VersionId) =>
  v.parse(BlockContent, await loadContent(ctx, 'block', version))

/** What a version of a newsletter contains. Throws `not_found`. */
export const getNewsletterVersion = async (ctx: ReadContext, version: VersionId) =>
  v.parse(NewsletterContent, await loadContent(ctx, 'newsletter', version))

async function loadContent(
  { sql, actor }: ReadContext,
  kind: Versioned,
  version: VersionId,
): Promise<unknown> {
  const content = await withDeadline(selectContent(sql, actor.teamId, kind, version))
  if (content === null) throw notFound('The version')
  return content
}

/** Purges the versions of all teams whose retention has ended, and those of purged blocks. */
export async function purgeVersions(ctx: ServiceContext & { sql: Sql }): Promise<void> {
  await deleteVersions(ctx.sql, daysBefore(ctx.now(), retentionDays))
  await deleteRowsOfPurgedBlocks(ctx, { table: 'block_versions' })
}
