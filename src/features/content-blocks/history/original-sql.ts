import type { Sql, Tx } from '../../../lib/database/db.ts'

/** Keeps the present text of a block as its original, unless an earlier one is kept. */
export async function storeOriginal(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx`
    update content_blocks
    set original = jsonb_build_object('title', title, 'body', body, 'body_format', body_format)
    where team_id = ${teamId} and id = ${id} and original is null`
}

/** The text of a block before a suggestion was accepted. */
export async function selectOriginal(sql: Sql | Tx, teamId: string, id: string): Promise<unknown> {
  const [row] = await sql<{ original: unknown }[]>`
    select original from content_blocks where team_id = ${teamId} and id = ${id}`
  return row?.original ?? null
}
