import type { Sql, Tx } from '../../lib/database/db.ts'

export interface SubmissionLinkRow {
  token: string
  requires_sign_in: boolean
}

/** The link of a team. */
export async function selectLink(
  sql: Sql | Tx,
  teamId: string,
): Promise<(SubmissionLinkRow & { team_slug: string }) | undefined> {
  const [row] = await sql<(SubmissionLinkRow & { team_slug: string })[]>`
    select l.token, l.requires_sign_in, t.slug as team_slug
    from submission_links l join teams t on t.id = l.team_id where l.team_id = ${teamId}`
  return row
}

/** Stores the link of a team in place of an earlier one. */
export async function upsertLink(
  tx: Tx,
  teamId: string,
  link: SubmissionLinkRow,
  at: Date,
): Promise<void> {
  await tx`
    insert into submission_links (team_id, token, requires_sign_in, created_at)
    values (${teamId}, ${link.token}, ${link.requires_sign_in}, ${at})
    on conflict (team_id) do update
    set token = excluded.token, requires_sign_in = excluded.requires_sign_in, created_at = excluded.created_at`
}

/** Changes who may use the link of a team; false when the team has none. */
export async function updateRequiresSignIn(
  tx: Tx,
  teamId: string,
  requiresSignIn: boolean,
): Promise<boolean> {
  const rows = await tx`
    update submission_links set requires_sign_in = ${requiresSignIn}
    where team_id = ${teamId} returning team_id`
  return rows.length > 0
}

/** Deletes the link of a team; false when the team has none. */
export async function deleteLink(tx: Tx, teamId: string): Promise<boolean> {
  const rows = await tx`delete from submission_links where team_id = ${teamId} returning team_id`
  return rows.length > 0
}

export interface SubmissionTeamRow {
  team_id: string
  team_name: string
  requires_sign_in: boolean
}

/** The team that a link leads to. */
export async function selectTeamOfLink(
  sql: Sql,
  slug: string,
  token: string,
): Promise<SubmissionTeamRow | undefined> {
  const [row] = await sql<SubmissionTeamRow[]>`
    select t.id as team_id, t.name as team_name, l.requires_sign_in
    from teams t join submission_links l on l.team_id = t.id
    where t.slug = ${slug} and l.token = ${token}`
  return row
}

/** Locks a submission until the transaction ends. */
export async function lockSubmission(tx: Tx, teamId: string, externalId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`submission\n${teamId}\n${externalId}`}, 0))`
}

/** The id of the block of a submission. */
export async function selectSubmission(
  tx: Tx,
  teamId: string,
  externalId: string,
): Promise<string | undefined> {
  const [row] = await tx<{ id: string }[]>`
    select id from content_blocks
    where team_id = ${teamId} and external_id = ${externalId} and source = 'submission'`
  return row?.id
}
