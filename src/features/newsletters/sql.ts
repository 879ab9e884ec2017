import type { NewsletterStatus } from '../../contract/vocabulary.ts'
import type { Period } from '../../lib/clock.ts'
import type { Sql, Tx } from '../../lib/database/db.ts'
import { firstIdAt } from '../../lib/ids.ts'

export interface NewsletterRow {
  id: string
  team_id: string
  title: string
  subject_line: string | null
  preheader_text: string | null
  status: NewsletterStatus
  /** `YYYY-MM-DD`. */
  scheduled_date: string | null
  template_slug: string
  cover_image_url: string | null
  /** Empty for an image that only decorates. */
  cover_image_alt: string | null
  /** What stays visible when the cover is cropped, from 0 to 1; null is the middle. */
  cover_focal_x: number | null
  cover_focal_y: number | null
  /** `#rrggbb`. */
  cover_color: string | null
  /** Sanitized HTML. */
  intro: string | null
  closing: string | null
  /** Null: the length of the newsletter decides. */
  table_of_contents: boolean | null
  version: number
  /** The last member who changed it, also when a key or the service changed it later; null when no member did. */
  changed_by: string | null
  /** The member who approved it as it is; null without an approval. */
  approved_by: string | null
  sent_at: Date | null
  /** What the address in the archive contains; null for one that is not in the archive. */
  archive_token: string | null
  created_at: Date
  updated_at: Date
}

export type CountedRow = NewsletterRow & { blocks_count: number }

/** The columns of a newsletter `n`. */
export const newsletterColumns = (sql: Sql | Tx) => sql`
  n.id, n.team_id, n.title, n.subject_line, n.preheader_text, n.status,
  n.scheduled_date::text as scheduled_date, n.template_slug, n.cover_image_url, n.cover_image_alt,
  n.cover_focal_x, n.cover_focal_y, n.cover_color, n.intro, n.closing, n.table_of_contents, n.version, n.changed_by,
  n.approved_by, n.sent_at, n.created_at,
  n.updated_at, case when n.status = 'sent' then (
    select t.archive_token from teams t where t.id = n.team_id and t.archive <> 'off'
  ) end as archive_token`

/** One newsletter of a team. */
export async function selectNewsletter(
  sql: Sql | Tx,
  teamId: string,
  id: string,
): Promise<NewsletterRow | undefined> {
  const [row] = await sql<NewsletterRow[]>`
    select ${newsletterColumns(sql)} from newsletters n where n.team_id = ${teamId} and n.id = ${id}`
  return row
}

/** The versions of these newsletters of these teams. */
export async function selectCurrentVersions(
  sql: Sql | Tx,
  wanted: readonly { teamId: string; newsletterId: string }[],
): Promise<Pick<NewsletterRow, 'id' | 'team_id' | 'version'>[]> {
  return await sql<Pick<NewsletterRow, 'id' | 'team_id' | 'version'>[]>`
    select distinct n.id, n.team_id, n.version
    from unnest(${wanted.map((one) => one.teamId)}::text[],
      ${wanted.map((one) => one.newsletterId)}::text[]) as wanted (team_id, id)
      join newsletters n on n.team_id = wanted.team_id and n.id = wanted.id`
}

/** Locks a newsletter until the transaction ends, and returns it. */
export async function lockNewsletter(
  tx: Tx,
  teamId: string,
  id: string,
): Promise<NewsletterRow | undefined> {
  const [row] = await tx<NewsletterRow[]>`
    select ${newsletterColumns(tx)} from newsletters n where n.team_id = ${teamId} and n.id = ${id} for update`
  return row
}

/** Stores a newsletter. */
export async function insertNewsletter(
  tx: Tx,
  row: Omit<
    NewsletterRow,
    'status' | 'version' | 'approved_by' | 'sent_at' | 'updated_at' | 'archive_token'
  >,
): Promise<void> {
  await tx`
    insert into newsletters (id, team_id, title, subject_line, preheader_text, scheduled_date,
      template_slug, cover_image_url, cover_image_alt, cover_focal_x, cover_focal_y, cover_color,
      intro, closing, table_of_contents, changed_by, created_at, updated_at)
    values (${row.id}, ${row.team_id}, ${row.title}, ${row.subject_line}, ${row.preheader_text},
      ${row.scheduled_date}, ${row.template_slug}, ${row.cover_image_url}, ${row.cover_image_alt},
      ${row.cover_focal_x}, ${row.cover_focal_y}, ${row.cover_color}, ${row.intro}, ${row.closing}, ${row.table_of_contents},
      ${row.changed_by}, ${row.created_at}, ${row.created_at})`
}

/** The snapshot of a newsletter. */
export interface Snapshot {
  html: string
  text: string
}

/** What is stored of a newsletter that is sent. */
interface SentEmail extends Snapshot {
  /** The day in the email (`YYYY-MM-DD`) where it is neither the planned date nor that of `sent_at`. */
  day: string | null
}

/**
 * Stores the changes of an unsent newsletter as its next version, with its email when it is sent.
 */
export async function updateNewsletterRow(
  tx: Tx,
  row: NewsletterRow,
  sent: SentEmail | null = null,
): Promise<void> {
  await tx`
    update newsletters set title = ${row.title}, subject_line = ${row.subject_line},
      preheader_text = ${row.preheader_text}, status = ${row.status},
      scheduled_date = ${row.scheduled_date}, template_slug = ${row.template_slug},
      cover_image_url = ${row.cover_image_url}, cover_image_alt = ${row.cover_image_alt},
      cover_focal_x = ${row.cover_focal_x}, cover_focal_y = ${row.cover_focal_y},
      cover_color = ${row.cover_color}, intro = ${row.intro}, closing = ${row.closing},
      table_of_contents = ${row.table_of_contents}, changed_by = ${row.changed_by},
      sent_at = ${row.sent_at}, sent_day = ${sent?.day ?? null},
      sent_html = ${sent?.html ?? null}, sent_text = ${sent?.text ?? null}, version = version + 1, updated_at = ${row.updated_at}
    where team_id = ${row.team_id} and id = ${row.id} and status <> 'sent'`
}

/** The snapshot of a sent newsletter. */
export async function selectSnapshot(
  sql: Sql | Tx,
  teamId: string,
  id: string,
): Promise<Snapshot | undefined> {
  const [row] = await sql<Snapshot[]>`
    select sent_html as html, sent_text as text from newsletters
    where team_id = ${teamId} and id = ${id} and status = 'sent'`
  return row
}

/** Deletes a newsletter and its newsletter blocks. */
export async function deleteNewsletterRow(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx`delete from newsletters where team_id = ${teamId} and id = ${id}`
}

/** A query for how many newsletters of a team were created in a period and still exist. */
export const newslettersCreated = (sql: Sql | Tx, teamId: string, { start, end }: Period) => sql`
  select count(*)::integer from newsletters
  where team_id = ${teamId} and id >= ${firstIdAt('nl', start)} and id < ${firstIdAt('nl', end)}`
