import type { Newsletter, NewsletterSummary } from '../../contract/newsletter.ts'
import {
  type NewNewsletter,
  type NewsletterChange,
  newNewsletterDefaults,
} from '../../contract/newsletter-input.ts'
import type { NewsletterStatus } from '../../contract/vocabulary.ts'
import type { Now, Period } from '../../lib/clock.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { firstIdAt, newId } from '../../lib/ids.ts'
import { countLimit, type Page, type PageRequest } from '../../lib/pagination.ts'
import { type ExpectedVersions, requireVersion } from '../../lib/versions.ts'
import { markBlocksUsed } from '../content-blocks/index.ts'
import {
  lockNewsletterBlocks,
  type NewsletterBlockRow,
  selectNewsletterBlocks,
  snapshotBlocks,
} from './blocks-sql.ts'
import { renderForSending, requireTemplate } from './render.ts'
import {
  type CountedRow,
  countNewsletterIds,
  countNewsletters,
  deleteNewsletterRow,
  insertNewsletter,
  lockNewsletter,
  type NewsletterRow,
  selectNewsletter,
  selectNewsletters,
  updateNewsletterRow,
} from './sql.ts'
import { alreadySent, derivedStatus, missingNewsletter, requireTransition } from './transitions.ts'

function summaryOf({ blocks_count, ...row }: CountedRow): NewsletterSummary {
  return {
    id: row.id,
    title: row.title,
    subject_line: row.subject_line,
    preheader_text: row.preheader_text,
    status: row.status,
    scheduled_date: row.scheduled_date,
    template_slug: row.template_slug,
    blocks_count,
    version: row.version,
    sent_at: row.sent_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** A stored newsletter and its places as the contract shows them. */
function toNewsletter(row: NewsletterRow, places: readonly NewsletterBlockRow[]): Newsletter {
  const blocks = places.map(({ id, position, content_block }) => ({ id, position, content_block }))
  return { ...summaryOf({ ...row, blocks_count: blocks.length }), blocks }
}

interface ReadNewsletter {
  newsletter: Newsletter
  /** A block changed after the newsletter itself did: its version does not tell. */
  blocksChanged: boolean
}

/** One newsletter of a team. Throws `not_found`, also for another team's newsletter. */
export async function getNewsletter(sql: Sql, teamId: string, id: string): Promise<ReadNewsletter> {
  const [row, places] = await withDeadline(
    Promise.all([selectNewsletter(sql, teamId, id), selectNewsletterBlocks(sql, teamId, id)]),
  )
  if (!row) throw missingNewsletter()
  const blocksChanged = places.some(({ changed_at: at }) => at !== null && at > row.updated_at)
  return { newsletter: toNewsletter(row, places), blocksChanged }
}

/** Throws `not_found` unless the team has this newsletter. */
export async function requireNewsletter(sql: Sql, teamId: string, id: string): Promise<void> {
  if (!(await withDeadline(selectNewsletter(sql, teamId, id)))) throw missingNewsletter()
}

/** A page of a team's newsletters, newest first; of no status in particular when none is named. */
export async function listNewsletters(
  sql: Sql,
  teamId: string,
  statuses: readonly NewsletterStatus[],
  page: PageRequest,
): Promise<Page<NewsletterSummary>> {
  const slice = {
    afterId: page.afterId ?? null,
    offset: page.afterId ? 0 : (page.page - 1) * page.perPage,
    limit: page.perPage + 1,
  }
  const [rows, counted] = await withDeadline(
    Promise.all([
      selectNewsletters(sql, teamId, statuses, slice),
      countNewsletters(sql, teamId, statuses, countLimit + 1),
    ]),
  )
  const items = rows.slice(0, page.perPage).map(summaryOf)
  return { items, counted, hasMore: rows.length > page.perPage }
}

/** How many newsletters of a team were made in a period, and are still there. */
export async function countNewslettersCreated(
  sql: Sql,
  teamId: string,
  { start, end }: Period,
): Promise<number> {
  return await withDeadline(
    countNewsletterIds(sql, teamId, firstIdAt('nl', start), firstIdAt('nl', end)),
  )
}

/** Makes a newsletter of a team, without blocks. Throws `validation_failed` for an unknown template. */
export async function createNewsletter(
  tx: Tx,
  now: Now,
  teamId: string,
  { status: _, ...input }: NewNewsletter,
): Promise<Newsletter> {
  const fields = { ...newNewsletterDefaults, ...input }
  await requireTemplate(tx, teamId, fields.template_slug)
  const at = now()
  const id = newId('nl', at)
  await insertNewsletter(tx, { ...fields, id, team_id: teamId, created_at: at })
  return await reloadNewsletter(tx, teamId, id)
}

/**
 * Changes a newsletter; a change of nothing keeps its version. Made `sent`, it keeps what was sent
 * and its blocks become used. Throws `not_found`, `newsletter_sent`, `version_mismatch`,
 * `invalid_transition`, `embargoed`, and `validation_failed` for an unknown template.
 */
export async function updateNewsletter(
  tx: Tx,
  now: Now,
  teamId: string,
  id: string,
  change: NewsletterChange,
  expected: ExpectedVersions,
): Promise<Newsletter> {
  const current = await lockEditableNewsletter(tx, teamId, id, expected)
  if (change.template_slug !== undefined) await requireTemplate(tx, teamId, change.template_slug)
  if (change.status === 'sent') await lockNewsletterBlocks(tx, teamId, id)
  const places = await selectNewsletterBlocks(tx, teamId, id)
  const at = now()
  const next = { ...current, ...definedOf(change) }
  if (change.status !== undefined) requireTransition(current.status, next, places, at)
  next.status = derivedStatus(next, places, at)
  if (!differs(current, next)) return toNewsletter(current, places)
  const stored = { ...next, updated_at: at }
  if (next.status === 'sent') await send(tx, { ...stored, sent_at: at })
  else await updateNewsletterRow(tx, stored)
  return await reloadNewsletter(tx, teamId, id)
}

async function send(tx: Tx, newsletter: NewsletterRow): Promise<void> {
  const { team_id: teamId, id, updated_at: at } = newsletter
  await updateNewsletterRow(tx, newsletter, await renderForSending(tx, newsletter, at))
  const ids = (await selectNewsletterBlocks(tx, teamId, id)).map(
    ({ content_block }) => content_block.id,
  )
  await markBlocksUsed(tx, teamId, ids, at)
  await snapshotBlocks(tx, teamId, id)
}

/**
 * Deletes a newsletter; its blocks stay in the library. Throws `not_found`, `newsletter_sent`,
 * `version_mismatch`.
 */
export async function deleteNewsletter(
  tx: Tx,
  teamId: string,
  id: string,
  expected: ExpectedVersions,
): Promise<void> {
  await lockEditableNewsletter(tx, teamId, id, expected)
  await deleteNewsletterRow(tx, teamId, id)
}

/**
 * A newsletter that may still be changed, held until the transaction ends. Throws `not_found`,
 * `newsletter_sent`, `version_mismatch`.
 */
export async function lockEditableNewsletter(
  tx: Tx,
  teamId: string,
  id: string,
  expected: ExpectedVersions,
): Promise<NewsletterRow> {
  const row = await lockNewsletter(tx, teamId, id)
  if (!row) throw missingNewsletter()
  if (row.status === 'sent') throw alreadySent()
  requireVersion(expected, row.version)
  return row
}

/** A newsletter as it is stored now, within a transaction. */
export async function reloadNewsletter(tx: Tx, teamId: string, id: string): Promise<Newsletter> {
  const row = await selectNewsletter(tx, teamId, id)
  if (!row) throw missingNewsletter()
  return toNewsletter(row, await selectNewsletterBlocks(tx, teamId, id))
}

/** A change without the fields that were left out. */
function definedOf(change: NewsletterChange): Partial<NewsletterRow> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

const editable = [
  ...(['title', 'subject_line', 'preheader_text', 'status'] as const),
  ...(['scheduled_date', 'template_slug'] as const),
]

function differs(a: NewsletterRow, b: NewsletterRow): boolean {
  return editable.some((field) => a[field] !== b[field])
}
