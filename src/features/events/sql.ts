import type { EventCategory } from '../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

/** An event of a team, without its texts. */
export interface EventRow {
  slug: string
  name: string
  /** `YYYY-MM-DD`; the first occurrence of an event that recurs. */
  event_date: string
  category: EventCategory
  recurs: boolean
}

/** The texts of an event. */
export interface EventTexts {
  slug: string
  description: string | null
  suggested_content: string | null
}

/** An event of a team as people enter it. */
export interface OwnEvent extends EventRow, EventTexts {}

/** An event of a team as it is stored. */
export interface StoredCalendarEvent extends OwnEvent {
  /** When its source said what is stored; null without a source. */
  source_updated_at: Date | null
}

/** All events of a team: at most 2,000, and as many of sources that are over. */
export async function selectEvents(sql: Sql | Tx, teamId: string): Promise<EventRow[]> {
  return await sql<EventRow[]>`
    select slug, name, event_date::text, category, recurs from events where team_id = ${teamId}`
}

/** The events of a team with these slugs. */
export async function selectEventsBySlug(
  sql: Sql | Tx,
  teamId: string,
  slugs: readonly string[],
): Promise<OwnEvent[]> {
  return await sql<OwnEvent[]>`
    select slug, name, event_date::text, category, recurs, description, suggested_content
    from events where team_id = ${teamId} and slug = any(${[...slugs]})`
}

/**
 * Stores an event. Returns false when its slug is taken or the team has `max` events; those of sources that are over
 * before `today` do not count, as long as there are at most as many.
 */
export async function insertEvent(
  sql: Sql | Tx,
  teamId: string,
  event: StoredCalendarEvent & { created_at: Date },
  { max, today }: { max: number; today: string },
): Promise<boolean> {
  const rows = await sql`
    insert into events (team_id, slug, name, event_date, category, recurs, description, suggested_content, source_updated_at, created_at)
    select ${teamId}, ${event.slug}, ${event.name}, ${event.event_date}, ${event.category},
      ${event.recurs}, ${event.description}, ${event.suggested_content},
      ${event.source_updated_at}, ${event.created_at}
    where (
      select greatest(count(*) - ${max}, count(*) filter (
        where source_updated_at is null or recurs or event_date >= ${today}
      )) from events where team_id = ${teamId}
    ) < ${max}
    on conflict (team_id, slug) do nothing returning slug`
  return rows.length > 0
}

/** An event of a team, locked until the transaction ends. */
export async function lockEvent(
  tx: Tx,
  teamId: string,
  slug: string,
): Promise<StoredCalendarEvent | undefined> {
  const [row] = await tx<StoredCalendarEvent[]>`
    select slug, name, event_date::text, category, recurs, description, suggested_content, source_updated_at
    from events where team_id = ${teamId} and slug = ${slug} for update`
  return row
}

/** Replaces all fields of an event except its slug. */
export async function updateEventRow(
  tx: Tx,
  teamId: string,
  event: StoredCalendarEvent,
): Promise<void> {
  await tx`
    update events set name = ${event.name}, event_date = ${event.event_date},
      category = ${event.category}, recurs = ${event.recurs}, description = ${event.description},
      suggested_content = ${event.suggested_content}, source_updated_at = ${event.source_updated_at}
    where team_id = ${teamId} and slug = ${event.slug}`
}

/** Deletes the events of sources of all teams that were over before a day, without those to which people have added texts. */
export async function deleteSourceEventsBefore(sql: Sql | Tx, day: string): Promise<void> {
  const due = sql`source_updated_at is not null and not recurs and description is null
    and suggested_content is null and event_date < ${day}`
  await deleteInSlices(sql, 'events', due)
}

/** Deletes an event and returns its name; null when there is none. */
export async function deleteEventRow(
  sql: Sql | Tx,
  teamId: string,
  slug: string,
): Promise<string | null> {
  const [row] = await sql<{ name: string }[]>`
    delete from events where team_id = ${teamId} and slug = ${slug} returning name`
  return row?.name ?? null
}
