import type { Sql, Tx } from '../../lib/db.ts'
import { locks } from '../../lib/locks.ts'

/** Waits until no other transaction sets up the installation, and locks it until this one ends. */
export async function lockSetup(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${locks.setup})`
}

/** Stores the hash of a set-up link's token. */
export async function insertSetupLink(sql: Sql | Tx, tokenHash: Buffer, at: Date): Promise<void> {
  await sql`insert into setup_links (token_hash, created_at) values (${tokenHash}, ${at})`
}

/** True when a set-up link has this token. */
export async function findSetupLink(sql: Sql | Tx, tokenHash: Buffer): Promise<boolean> {
  const rows = await sql`select token_hash from setup_links where token_hash = ${tokenHash}`
  return rows.length > 0
}

/** Deletes all set-up links. */
export async function deleteSetupLinks(tx: Tx): Promise<void> {
  await tx`delete from setup_links`
}

/** The steps to the first newsletter, and whether a team has done them. */
export interface FirstSteps {
  /** A key for a program exists. */
  keyMade: boolean
  /** The library contains a block. */
  blockArrived: boolean
  /** A provider is connected. */
  connected: boolean
  /** A newsletter contains a block. */
  composed: boolean
  /** A preview was sent, or a newsletter was marked as ready. */
  previewed: boolean
}

/** The steps that a team has done. */
export async function selectFirstSteps(sql: Sql | Tx, teamId: string): Promise<FirstSteps> {
  const [row] = await sql<[FirstSteps]>`
    select
      exists (select from api_keys where team_id = ${teamId} and provider is null) as "keyMade",
      exists (select from content_blocks where team_id = ${teamId}) as "blockArrived",
      exists (
        select from connections where team_id = ${teamId} and removed_at is null
      ) as connected,
      exists (
        select from newsletters n join newsletter_blocks b on b.newsletter_id = n.id
        where n.team_id = ${teamId}
      ) as composed,
      exists (select from previews where team_id = ${teamId}) or exists (
        select from newsletters where team_id = ${teamId} and status in ('ready', 'sent')
      ) as previewed`
  return row
}

/** Deletes the set-up links created before a moment. */
export async function deleteSetupLinksBefore(sql: Sql | Tx, before: Date): Promise<void> {
  await sql`delete from setup_links where created_at < ${before}`
}
