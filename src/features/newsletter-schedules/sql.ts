import type { Language, NewsletterCadence } from '../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

export interface ScheduleSettings {
  is_recurring: boolean
  /** ISO 8601: 1 is Monday. */
  weekday: number
  /** The hour in the time zone at which drafts are prepared and reminders are sent. */
  hour: number
  time_zone: string
  /** How many days before the planned date the draft is prepared. */
  lead_days: number
  /** How many days before the planned date editors are reminded; null: never. */
  reminder_days: number | null
}

export interface ScheduleRow extends ScheduleSettings {
  team_id: string
  team_name: string
  language: Language
  cadence: NewsletterCadence
  /** `YYYY-MM-DD`. */
  anchor_date: string
}

const columns = (sql: Sql | Tx) => sql`
  s.team_id, s.is_recurring, s.weekday, s.hour, s.time_zone, s.lead_days, s.reminder_days,
  s.anchor_date::text as anchor_date, t.name as team_name, t.language,
  t.newsletter_cadence as cadence`

/** The schedule of a team; undefined before it was set. */
export async function selectSchedule(
  sql: Sql | Tx,
  teamId: string,
): Promise<ScheduleRow | undefined> {
  const [row] = await sql<ScheduleRow[]>`
    select ${columns(sql)} from newsletter_schedules s join teams t on t.id = s.team_id
    where s.team_id = ${teamId}`
  return row
}

/** The schedules of all teams that prepare drafts or remind editors. */
export async function selectActiveSchedules(sql: Sql): Promise<ScheduleRow[]> {
  return await sql<ScheduleRow[]>`
    select ${columns(sql)} from newsletter_schedules s join teams t on t.id = s.team_id
    where s.is_recurring or s.reminder_days is not null order by s.team_id`
}

/** Stores the schedule of a team. */
export async function upsertSchedule(
  tx: Tx,
  teamId: string,
  settings: ScheduleSettings & { anchor_date: string },
  at: Date,
): Promise<void> {
  await tx`
    insert into newsletter_schedules ${tx({ ...settings, team_id: teamId, updated_at: at })}
    on conflict (team_id) do update set is_recurring = excluded.is_recurring,
      weekday = excluded.weekday, hour = excluded.hour, time_zone = excluded.time_zone,
      lead_days = excluded.lead_days, reminder_days = excluded.reminder_days,
      anchor_date = excluded.anchor_date, updated_at = excluded.updated_at`
}

/** Stores that the draft of a planned date is created; false when it was before. */
export async function insertPlannedDate(
  tx: Tx,
  planned: { teamId: string; date: string; newsletterId: string; at: Date },
): Promise<boolean> {
  const rows = await tx`
    insert into newsletter_slots (team_id, planned_date, newsletter_id, created_at)
    values (${planned.teamId}, ${planned.date}, ${planned.newsletterId}, ${planned.at})
    on conflict do nothing returning team_id`
  return rows.length > 0
}

/** Whether the draft of a planned date was created. */
export async function existsPlannedDate(sql: Sql, teamId: string, date: string): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (
      select from newsletter_slots where team_id = ${teamId} and planned_date = ${date}
    ) as found`
  return row.found
}

/**
 * The newsletter that a team has for a planned date: one with this date, or an unsent one that was prepared
 * for another of these days, the nearest first, and for no other planned date.
 */
export async function selectPlannedNewsletter(
  tx: Tx,
  teamId: string,
  { date, from, to }: { date: string; from: string; to: string },
): Promise<{ id: string } | undefined> {
  const [row] = await tx<{ id: string }[]>`
    select n.id from newsletters n
    where n.team_id = ${teamId} and n.scheduled_date = ${date}
    union all
    (select n.id from newsletter_slots s
      join newsletters n on n.team_id = s.team_id and n.id = s.newsletter_id and n.status <> 'sent'
    where s.team_id = ${teamId} and s.planned_date between ${from} and ${to}
      and not exists (
        select from newsletter_slots other
        where other.team_id = s.team_id and other.newsletter_id = s.newsletter_id
          and other.planned_date <> s.planned_date
      )
    order by abs(s.planned_date - ${date}::date), s.planned_date limit 1)
    limit 1`
  return row
}

export interface PlannedNewsletter {
  id: string
  title: string
  /** `YYYY-MM-DD`. */
  date: string
}

/** The unsent newsletters that are planned for these days and of which nobody was reminded yet. */
export async function selectUnreminded(
  sql: Sql,
  teamId: string,
  { from, to }: { from: string; to: string },
): Promise<PlannedNewsletter[]> {
  return await sql<PlannedNewsletter[]>`
    select n.id, n.title, n.scheduled_date::text as date from newsletters n
    where n.team_id = ${teamId} and n.status in ('draft', 'in_progress', 'ready')
      and n.scheduled_date between ${from} and ${to}
      and not exists (
        select from newsletter_reminders r
        where r.team_id = n.team_id and r.newsletter_id = n.id and r.planned_date = n.scheduled_date
      )
    order by n.id limit 100`
}

/** Stores that editors are reminded of a planned date; false when they were before. */
export async function insertReminder(
  tx: Tx,
  teamId: string,
  { id, date }: PlannedNewsletter,
  at: Date,
): Promise<boolean> {
  const rows = await tx`
    insert into newsletter_reminders (team_id, newsletter_id, planned_date, created_at)
    values (${teamId}, ${id}, ${date}, ${at}) on conflict do nothing returning team_id`
  return rows.length > 0
}

/** Deletes what is known of the planned dates of all teams that were stored before a moment. */
export async function deletePlannedBefore(sql: Sql | Tx, moment: Date): Promise<void> {
  await deleteInSlices(sql, 'newsletter_slots', sql`created_at < ${moment}`)
  await deleteInSlices(sql, 'newsletter_reminders', sql`created_at < ${moment}`)
}
