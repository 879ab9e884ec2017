import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'
import { locks } from '../../lib/database/locks.ts'

/** Waits until no other transaction sets up the installation, and locks it until this one ends. */
export async function lockSetup(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${locks.setup})`
}

/** Stores the hash of a set-up link's token. */
export async function insertSetupLink(sql: Sql | Tx, tokenHash: Buffer, at: Date): Promise<void> {
  await sql`insert into setup_links (token_hash, created_at) values (${tokenHash}, ${at})`
}

/** True when a set-up link has this token. */
export async function existsSetupLink(sql: Sql | Tx, tokenHash: Buffer): Promise<boolean> {
  const rows = await sql`select token_hash from setup_links where token_hash = ${tokenHash}`
  return rows.length > 0
}

/** Deletes all set-up links. */
export async function deleteSetupLinks(tx: Tx): Promise<void> {
  await tx`delete from setup_links`
}

/** The steps to the first newsletter, and whether a team has done them. Sample content does not count. */
export interface FirstSteps {
  /** The id of the sample newsletter; null while there is none. */
  sampleNewsletterId: string | null
  /** The library contains a block. */
  hasBlock: boolean
  /** A provider is connected. */
  connected: boolean
  /** The newest newsletter with a block; null while there is none. */
  newsletterId: string | null
  /** A preview was sent, or opened on a phone. */
  previewed: boolean
  /** A newsletter was marked as sent. */
  sent: boolean
}

/** The steps that a team has done. */
export async function selectFirstSteps(sql: Sql | Tx, teamId: string): Promise<FirstSteps> {
  const [row] = await sql<[FirstSteps]>`
    select
      s.newsletter_id as "sampleNewsletterId",
      exists (
        select from content_blocks
        where team_id = ${teamId} and id <> all (coalesce(s.block_ids, '{}'))
      ) as "hasBlock",
      exists (
        select from connections where team_id = ${teamId} and removed_at is null
      ) as connected,
      (
        select n.id from newsletters n
        where n.team_id = ${teamId} and n.id is distinct from s.newsletter_id
          and exists (
            select from newsletter_blocks b where b.team_id = n.team_id and b.newsletter_id = n.id
          )
        order by n.id desc limit 1
      ) as "newsletterId",
      exists (select from previews where team_id = ${teamId}) or exists (
        select from preview_links where team_id = ${teamId} and opened_at is not null
      ) as previewed,
      exists (
        select from newsletters
        where team_id = ${teamId} and status = 'sent' and id is distinct from s.newsletter_id
      ) as sent
    from (select 1) one left join sample_content s on s.team_id = ${teamId}`
  return row
}

/** Deletes the set-up links created before a moment. */
export async function deleteSetupLinksBefore(sql: Sql | Tx, before: Date): Promise<void> {
  await deleteInSlices(sql, 'setup_links', sql`created_at < ${before}`)
}
