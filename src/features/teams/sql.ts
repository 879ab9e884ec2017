import type { ArchiveMode, Language, NewsletterCadence } from '../../contract/vocabulary.ts'
import { type Period, utcDay } from '../../lib/clock.ts'
import type { Fragment, Sql, Tx } from '../../lib/database/db.ts'
import { activeKeys } from '../api-keys/index.ts'
import { blocksCreated } from '../content-blocks/index.ts'
import { memberCount } from '../members/index.ts'

export interface TeamRow {
  id: string
  slug: string
  name: string
  /** The language of the texts that Tidings adds to what people wrote. */
  language: Language
}

/** Stores a team; false when the slug is taken. */
export async function insertTeam(sql: Sql | Tx, team: TeamRow, at: Date): Promise<boolean> {
  const rows = await sql`
    insert into teams (id, slug, name, language, created_at)
    values (${team.id}, ${team.slug}, ${team.name}, ${team.language}, ${at})
    on conflict (slug) do nothing returning id`
  return rows.length > 0
}

/** The team with this slug. */
export async function selectTeam(sql: Sql, slug: string): Promise<TeamRow | undefined> {
  const [row] = await sql<
    TeamRow[]
  >`select id, slug, name, language from teams where slug = ${slug}`
  return row
}

/** All teams by slug, 1,000 at most. */
export async function selectTeams(sql: Sql | Tx): Promise<TeamRow[]> {
  return await sql<TeamRow[]>`select id, slug, name, language from teams order by slug limit 1000`
}

/** Makes the query that counts something that a team created in a period. */
export type CountInPeriod = (sql: Sql | Tx, teamId: string, period: Period) => Fragment

/** How many newsletters, blocks and AI drafts a plan allows per calendar month; -1 is unlimited. */
export interface PlanLimits {
  newsletters: number
  content_blocks: number
  ai_generations: number
  team_members: number
}

export interface TeamDetailsRow extends TeamRow, PlanLimits {
  brand_color: string
  newsletter_cadence: NewsletterCadence
  logo_url: string | null
  logo_alt: string | null
  contact: string | null
  share_url: string | null
  tone: string | null
  words_to_avoid: string[]
  example_texts: string[]
  archive: ArchiveMode
  /** What the address of the archive contains; null while it is off. */
  archive_token: string | null
  plan_key: string
  plan_name: string
}

/** The columns of a team `t` with what its plan `p` allows. */
const detailColumns = (sql: Sql | Tx) => sql`
  t.id, t.slug, t.name, t.language, t.brand_color, t.newsletter_cadence, t.logo_url, t.logo_alt,
  t.contact, t.share_url, t.tone, t.words_to_avoid, t.example_texts, t.archive,
  case when t.archive <> 'off' then t.archive_token end as archive_token, p.key as plan_key,
  p.name as plan_name, p.newsletters, p.content_blocks, p.ai_generations, p.team_members`

/** A team with what its plan allows. */
export async function selectTeamDetails(
  sql: Sql | Tx,
  teamId: string,
): Promise<TeamDetailsRow | undefined> {
  const [row] = await sql<TeamDetailsRow[]>`
    select ${detailColumns(sql)}
    from teams t join plans p on p.key = t.plan_key where t.id = ${teamId}`
  return row
}

/** A query for how many AI drafts a team has made in the month that begins on `period` (`YYYY-MM-DD`). */
const aiDraftsUsed = (sql: Sql | Tx, teamId: string, period: string) => sql`
  select coalesce(sum(used), 0)::integer from ai_usage
  where team_id = ${teamId} and period = ${period}`

/** What a team has used of its plan in a month, and which of some keys are active. */
interface UsedColumns {
  used_newsletters: number
  used_content_blocks: number
  used_ai_generations: number
  used_team_members: number
  active_key_ids: string[]
}

/** What `selectTeamUsage` counts. */
interface UsageQuery {
  period: Period
  countNewsletters: CountInPeriod
  /** The keys that are looked up. */
  keyIds: readonly string[]
}

/** A team with what its plan allows and what it has used in a month, in one statement; members are counted now. */
export async function selectTeamUsage(
  sql: Sql | Tx,
  teamId: string,
  { period, countNewsletters, keyIds }: UsageQuery,
): Promise<(TeamDetailsRow & UsedColumns) | undefined> {
  const [row] = await sql<(TeamDetailsRow & UsedColumns)[]>`
    select ${detailColumns(sql)},
      (${countNewsletters(sql, teamId, period)}) as used_newsletters,
      (${blocksCreated(sql, teamId, period)}) as used_content_blocks,
      (${aiDraftsUsed(sql, teamId, utcDay(period.start))}) as used_ai_generations,
      (${memberCount(sql, teamId)}) as used_team_members,
      array(${activeKeys(sql, teamId, keyIds)}) as active_key_ids
    from teams t join plans p on p.key = t.plan_key where t.id = ${teamId}`
  return row
}

const textsOf = (texts: readonly string[] | undefined) => (texts ? [...texts] : null)

/** Changes the given details of a team. The link of the archive is created once. */
export async function updateTeamRow(
  sql: Sql | Tx,
  teamId: string,
  change: {
    name?: string | undefined
    brand_color?: string | undefined
    newsletter_cadence?: NewsletterCadence | undefined
    language?: Language | undefined
    logo_url?: string | null | undefined
    logo_alt?: string | null | undefined
    contact?: string | null | undefined
    share_url?: string | null | undefined
    tone?: string | null | undefined
    words_to_avoid?: readonly string[] | undefined
    example_texts?: readonly string[] | undefined
    archive?: ArchiveMode | undefined
  },
  newArchiveToken: string | null,
): Promise<void> {
  await sql`
    update teams set name = coalesce(${change.name ?? null}, name),
      brand_color = coalesce(${change.brand_color ?? null}, brand_color),
      newsletter_cadence = coalesce(${change.newsletter_cadence ?? null}, newsletter_cadence),
      language = coalesce(${change.language ?? null}, language),
      logo_url = case when ${change.logo_url === undefined} then logo_url else ${change.logo_url ?? null} end,
      logo_alt = case when ${change.logo_alt === undefined} then logo_alt else ${change.logo_alt ?? null} end,
      contact = case when ${change.contact === undefined} then contact else ${change.contact ?? null} end,
      share_url = case when ${change.share_url === undefined} then share_url else ${change.share_url ?? null} end,
      tone = case when ${change.tone === undefined} then tone else ${change.tone ?? null} end,
      words_to_avoid = coalesce(${textsOf(change.words_to_avoid)}::text[], words_to_avoid),
      example_texts = coalesce(${textsOf(change.example_texts)}::text[], example_texts),
      archive = coalesce(${change.archive ?? null}, archive),
      archive_token = coalesce(archive_token, ${newArchiveToken})
    where id = ${teamId}`
}

/** Stores whether a team requires a second factor of its members. */
export async function updateRequiresSecondFactor(
  sql: Sql | Tx,
  teamId: string,
  required: boolean,
): Promise<void> {
  await sql`update teams set requires_second_factor = ${required} where id = ${teamId}`
}

/** Stores that the first steps of a team are done. */
export async function updateFirstStepsDone(tx: Tx, teamId: string, at: Date): Promise<void> {
  await tx`
    update teams set first_steps_done_at = ${at}
    where id = ${teamId} and first_steps_done_at is null`
}

/** Stores that the first steps are done when a newsletter is sent, unless it is the sample. */
export async function completeFirstSteps(
  tx: Tx,
  teamId: string,
  { newsletterId, at }: { newsletterId: string; at: Date },
): Promise<void> {
  await tx`
    update teams set first_steps_done_at = ${at}
    where id = ${teamId} and first_steps_done_at is null and not exists (
      select from sample_content where team_id = ${teamId} and newsletter_id = ${newsletterId}
    )`
}
