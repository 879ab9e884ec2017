import type { ArchiveMode, Language } from '../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../lib/database/db.ts'
import { hashLinkToken } from '../../lib/ids.ts'

/** A team whose archive is on, as its pages need it. */
export interface ArchiveTeamRow {
  team_id: string
  slug: string
  name: string
  language: Language
  logo_url: string | null
  logo_alt: string | null
  archive: Exclude<ArchiveMode, 'off'>
  archive_token: string
}

const teamColumns = (sql: Sql) => sql`
  id as team_id, slug, name, language, logo_url, logo_alt, archive, archive_token`

/** The team whose archive has this token in its address. */
export async function selectTeamOfArchive(
  sql: Sql,
  token: string,
): Promise<ArchiveTeamRow | undefined> {
  const [row] = await sql<ArchiveTeamRow[]>`
    select ${teamColumns(sql)} from teams
    where sha256(archive_token::bytea) = ${hashLinkToken(token)} and archive <> 'off'`
  return row
}

/** The team whose feed has this token in its address. */
export async function selectTeamOfFeed(
  sql: Sql,
  token: string,
): Promise<ArchiveTeamRow | undefined> {
  const [row] = await sql<ArchiveTeamRow[]>`
    select ${teamColumns(sql)} from teams
    where sha256(archive_feed_token::bytea) = ${hashLinkToken(token)} and archive <> 'off'`
  return row
}

/** A sent newsletter in a list. */
export interface SentRow {
  id: string
  title: string
  preheader_text: string | null
  /** The planned date (`YYYY-MM-DD`), which the email shows. */
  scheduled_date: string | null
  /** The day that the email shows without a planned date; null for that of `sent_at`. */
  sent_day: string | null
  sent_at: Date
}

const sentColumns = (sql: Sql) => sql`
  n.id, n.title, n.preheader_text, n.scheduled_date::text as scheduled_date,
  n.sent_day::text as sent_day, n.sent_at`

/** The time whose day in UTC readers see: that of the email. */
export function shownTime({ scheduled_date, sent_day, sent_at }: SentRow): Date {
  const day = scheduled_date ?? sent_day
  // Noon is on the same day in nearly all time zones.
  return day === null ? sent_at : new Date(`${day}T12:00:00Z`)
}

/** A position in the archive: a sent newsletter. */
export type ArchivePosition = Pick<SentRow, 'id' | 'sent_at'>

/** The newsletters of a team with all words, from the index of words: for a limit, PostgreSQL may skip it. */
const containing = (sql: Sql, teamId: string, words: string) => sql`
  with newsletters as materialized (
    select n.id, n.team_id, n.status, n.title, n.preheader_text, n.scheduled_date,
      n.sent_day, n.sent_at
    from newsletters n
    where n.team_id = ${teamId} and n.status = 'sent' and numnode(search_query(${words})) > 0
      and n.search @@ (search_query(${words}) && quote_literal(${teamId}::text)::tsquery)
  )`

/** The sent newsletters of a team after a position, newest first. */
export async function selectSent(
  sql: Sql,
  teamId: string,
  { words, after, limit }: { words: string | null; after: ArchivePosition | null; limit: number },
): Promise<SentRow[]> {
  return await sql<SentRow[]>`
    ${words === null ? sql`` : containing(sql, teamId, words)}
    select ${sentColumns(sql)} from newsletters n
    where n.team_id = ${teamId} and n.status = 'sent'
      ${after === null ? sql`` : sql`and (n.sent_at, n.id) < (${after.sent_at}, ${after.id})`}
    order by n.sent_at desc, n.id desc limit ${limit}`
}

/** The longest text that an excerpt is made of, in characters. */
const maxExcerptedCharacters = 100_000

/** The beginnings of the plain texts of sent newsletters, by their ids. */
export async function selectArchivedTexts(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; text: string }[]>`
    select id, left(sent_text, ${maxExcerptedCharacters}) as text from newsletters
    where team_id = ${teamId} and id = any(${ids}) and sent_text is not null`
  return new Map(rows.map(({ id, text }) => [id, text]))
}

/** The sent newsletter of a team that was sent next after a position. */
export async function selectNewer(
  sql: Sql,
  teamId: string,
  { sent_at, id }: ArchivePosition,
): Promise<SentRow | undefined> {
  const [row] = await sql<SentRow[]>`
    select ${sentColumns(sql)} from newsletters n
    where n.team_id = ${teamId} and n.status = 'sent' and (n.sent_at, n.id) > (${sent_at}, ${id})
    order by n.sent_at, n.id limit 1`
  return row
}

/** A newsletter of a team with its snapshot; without one while it is not sent. */
export type ArchivedRow = SentRow & { html: string }

/** A sent newsletter of a team. */
export async function selectArchived(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<ArchivedRow | undefined> {
  const [row] = await sql<ArchivedRow[]>`
    select ${sentColumns(sql)}, n.sent_html as html from newsletters n
    where n.team_id = ${teamId} and n.id = ${id} and n.status = 'sent'`
  return row
}

/** Whether a team has a newsletter that is not sent. */
export async function selectIsUnsent(sql: Sql, teamId: string, id: string): Promise<boolean> {
  const rows = await sql`
    select from newsletters where team_id = ${teamId} and id = ${id} and status <> 'sent'`
  return rows.length > 0
}

/** The archive of a team as its settings show it. */
export interface ArchiveSettingsRow {
  archive: ArchiveMode
  archive_token: string | null
  archive_feed_token: string | null
}

/** The settings of the archive of a team. */
export async function selectArchiveSettings(
  sql: Sql | Tx,
  teamId: string,
): Promise<ArchiveSettingsRow | undefined> {
  const [row] = await sql<ArchiveSettingsRow[]>`
    select archive, archive_token, archive_feed_token from teams where id = ${teamId}`
  return row
}

/** Replaces the token in the address of an archive; false while the archive is off. */
export async function updateArchiveToken(tx: Tx, teamId: string, token: string): Promise<boolean> {
  const rows = await tx`
    update teams set archive_token = ${token}
    where id = ${teamId} and archive <> 'off' returning id`
  return rows.length > 0
}

/** Stores or removes the token in the address of a feed; false while the archive is off. */
export async function updateFeedToken(
  tx: Tx,
  teamId: string,
  token: string | null,
): Promise<boolean> {
  const rows = await tx`
    update teams set archive_feed_token = ${token}
    where id = ${teamId} and archive <> 'off' returning id`
  return rows.length > 0
}
