import type { Sql, Tx } from '../../lib/database/db.ts'

/** The sample newsletter of a team and its blocks. */
export interface SampleContent {
  newsletterId: string
  blockIds: string[]
}

/** Waits until no other transaction adds or removes the sample content of a team. */
export async function lockTeam(tx: Tx, teamId: string): Promise<void> {
  await tx`select id from teams where id = ${teamId} for no key update`
}

/** The sample content that a team has. */
export async function selectSampleContent(
  sql: Sql | Tx,
  teamId: string,
): Promise<SampleContent | undefined> {
  const [row] = await sql<SampleContent[]>`
    select newsletter_id as "newsletterId", block_ids as "blockIds" from sample_content
    where team_id = ${teamId}`
  return row
}

/** Stores what the sample content of a team is. */
export async function insertSampleContent(
  tx: Tx,
  teamId: string,
  { newsletterId, blockIds }: SampleContent,
  at: Date,
): Promise<void> {
  await tx`
    insert into sample_content (team_id, newsletter_id, block_ids, created_at)
    values (${teamId}, ${newsletterId}, ${blockIds}, ${at})`
}

/** Deletes the record of the sample content of a team, not the content. */
export async function deleteSampleContent(tx: Tx, teamId: string): Promise<void> {
  await tx`delete from sample_content where team_id = ${teamId}`
}

/** The blocks among these that nobody has changed and that no newsletter contains. */
export async function selectUntouchedBlocks(
  tx: Tx,
  teamId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from content_blocks b
    where team_id = ${teamId} and id = any(${[...ids]}) and version = 1 and not exists (
      select from newsletter_blocks n
      where n.team_id = b.team_id and n.content_block_id = b.id
    )
    order by id`
  return rows.map(({ id }) => id)
}
