import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { AppError, notFound } from '../../lib/errors.ts'
import { type ExcerptPart, excerptAround } from './excerpt.ts'
import {
  type ArchivedRow,
  type ArchivePosition,
  type ArchiveTeamRow,
  type SentRow,
  selectArchived,
  selectArchivedTexts,
  selectIsUnsent,
  selectNewer,
  selectSent,
  selectTeamOfArchive,
  selectTeamOfFeed,
} from './sql.ts'

interface ArchiveContext {
  sql: Sql
}

/** How many newsletters a page of the archive shows, and how many the feed has. */
const perPage = 20

/** The team of an archive. Throws `not_found` for every link that is not in use. */
export async function getTeamOfArchive(
  { sql }: ArchiveContext,
  token: string,
): Promise<ArchiveTeamRow> {
  const team = await withDeadline(selectTeamOfArchive(sql, token))
  if (!team) throw notFound('This archive')
  return team
}

/** The team of a feed. Throws `not_found` for every link that is not in use. */
export async function getTeamOfFeed(
  { sql }: ArchiveContext,
  token: string,
): Promise<ArchiveTeamRow> {
  const team = await withDeadline(selectTeamOfFeed(sql, token))
  if (!team) throw notFound('This feed')
  return team
}

/** A newsletter in a list, with the text around the words of a search. */
export type ListedNewsletter = SentRow & { excerpt: ExcerptPart[] | null }

interface ArchivePage {
  newsletters: ListedNewsletter[]
  hasMore: boolean
}

/**
 * A page of the sent newsletters of a team, newest first, with those words when there are any. `afterId`
 * is the last newsletter of the page before; a page after an unknown one is empty.
 */
export async function listArchive(
  { sql }: ArchiveContext,
  { teamId, words, afterId }: { teamId: string; words: string | null; afterId: string | null },
): Promise<ArchivePage> {
  const after: ArchivePosition | null =
    afterId === null ? null : ((await withDeadline(selectArchived(sql, teamId, afterId))) ?? null)
  if (afterId !== null && after === null) return { newsletters: [], hasMore: false }
  const rows = await withDeadline(selectSent(sql, teamId, { words, after, limit: perPage + 1 }))
  const shown = rows.slice(0, perPage)
  const newsletters =
    words === null
      ? shown.map((row) => ({ ...row, excerpt: null }))
      : await withExcerpts(sql, { teamId, words, rows: shown })
  return { newsletters, hasMore: rows.length > perPage }
}

async function withExcerpts(
  sql: Sql,
  { teamId, words, rows }: { teamId: string; words: string; rows: readonly SentRow[] },
): Promise<ListedNewsletter[]> {
  const ids = rows.map(({ id }) => id)
  const texts = await withDeadline(selectArchivedTexts(sql, teamId, ids))
  return rows.map((row) => {
    const text = texts.get(row.id) ?? ''
    return { ...row, excerpt: excerptAround({ title: row.title, text }, words) }
  })
}

interface ArchivedNewsletter {
  newsletter: ArchivedRow
  older: SentRow | null
  newer: SentRow | null
}

/** A sent newsletter of a team with its neighbors. Throws `not_found`. */
export async function getArchivedNewsletter(
  { sql }: ArchiveContext,
  { teamId, id }: { teamId: string; id: string },
): Promise<ArchivedNewsletter> {
  const newsletter = await withDeadline(selectArchived(sql, teamId, id))
  if (!newsletter) throw await missing(sql, teamId, id)
  const [[older], newer] = await withDeadline(
    Promise.all([
      selectSent(sql, teamId, { words: null, after: newsletter, limit: 1 }),
      selectNewer(sql, teamId, newsletter),
    ]),
  )
  return { newsletter, older: older ?? null, newer: newer ?? null }
}

/** The 404 of a newsletter; one that is not sent yet has been exported with the link to its page. */
async function missing(sql: Sql, teamId: string, id: string) {
  const isUnsent = await withDeadline(selectIsUnsent(sql, teamId, id))
  if (!isUnsent) return notFound('This newsletter')
  return new AppError(
    'not_found',
    'This newsletter is not in the archive yet. Try again when it has been sent.',
  )
}
