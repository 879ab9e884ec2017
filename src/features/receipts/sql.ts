import type { BlockStatus } from '../../contract/vocabulary.ts'
import type { Fragment, Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

/** Stores the receipt of a block unless it has one. Returns the stored token and the slug of the team. */
export async function upsertReceipt(
  sql: Sql | Tx,
  teamId: string,
  { blockId, token, createdAt }: { blockId: string; token: string; createdAt: Date },
): Promise<{ slug: string; token: string }> {
  const [row] = await sql<[{ slug: string; token: string }]>`
    insert into receipts (team_id, block_id, token, created_at)
    values (${teamId}, ${blockId}, ${token}, ${createdAt})
    on conflict (team_id, block_id) do update set block_id = excluded.block_id
    returning token, (select slug from teams where id = ${teamId})`
  return row
}

export interface ReceiptRow {
  team_id: string
  team_name: string
  slug: string
  token: string
  block_id: string
  title: string | null
  status: BlockStatus | null
  version: number | null
  newsletter_id: string | null
  is_withdrawn: boolean
  published_at: Date | null
}

/**
 * A receipt with the first newsletter that was sent with its block, or else one that contains it. `title` is that of
 * the block `b`.
 */
const receipts = (sql: Sql | Tx, condition: Fragment, title: Fragment) => sql`
    select r.team_id, t.name as team_name, t.slug, r.token, r.block_id, ${title} as title, b.status, b.version,
      n.id as newsletter_id, n.sent_at as published_at, r.withdrawn_at is not null as is_withdrawn
    from teams t
    join receipts r on r.team_id = t.id
    left join content_blocks b on b.team_id = r.team_id and b.id = r.block_id
    left join lateral (
      select n.id, n.sent_at
      from (
        select newsletter_id from newsletter_blocks
        where team_id = r.team_id and content_block_id = r.block_id
        union all
        select newsletter_id from newsletter_blocks
        where team_id = r.team_id and snapshot ->> 'id' = r.block_id and snapshot is not null
      ) uses
      join newsletters n on n.team_id = r.team_id and n.id = uses.newsletter_id
      order by n.sent_at nulls last
      limit 1
    ) n on true
    where ${condition}`

/** The receipt of a team with a token. */
export async function selectReceipt(
  sql: Sql,
  slug: string,
  token: string,
): Promise<ReceiptRow | undefined> {
  const [row] = await sql<ReceiptRow[]>`
    ${receipts(sql, sql`t.slug = ${slug} and r.token = ${token}`, sql`b.title`)}`
  return row
}

/** The receipts of some blocks, those of the newest blocks first. A block in the trash has its title, too. */
export async function selectReceiptsOf(
  sql: Sql | Tx,
  teamId: string,
  blockIds: readonly string[],
): Promise<ReceiptRow[]> {
  const condition = sql`t.id = ${teamId} and r.team_id = ${teamId} and r.block_id = any(${[...blockIds]})`
  const title = sql`coalesce(b.title, (
    select d.block ->> 'title' from trashed_blocks d where d.team_id = r.team_id and d.id = r.block_id
  ))`
  return await sql<ReceiptRow[]>`${receipts(sql, condition, title)} order by r.block_id desc`
}

/** Stores that the senders of some blocks have withdrawn them. */
export async function updateWithdrawn(
  tx: Tx,
  teamId: string,
  blockIds: readonly string[],
  at: Date,
): Promise<void> {
  await tx`
    update receipts set withdrawn_at = ${at}
    where team_id = ${teamId} and block_id = any(${[...blockIds]})`
}

/** Deletes the receipts of all teams that were created before a moment. */
export async function deleteReceiptsBefore(sql: Sql | Tx, moment: Date): Promise<void> {
  await deleteInSlices(sql, 'receipts', sql`created_at < ${moment}`)
}
