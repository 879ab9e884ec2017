import type { Tx } from '../../lib/database/db.ts'

/** Locks a connection until the transaction ends, so that its updates run one after the other. */
export async function lockConnection(tx: Tx, teamId: string, connectionId: string): Promise<void> {
  await tx`
    select id from connections where team_id = ${teamId} and id = ${connectionId}
    for no key update`
}

/** The last delivery that updated an item. */
export interface SyncStateRow {
  connection_id: string
  external_id: string
  team_id: string
  delivery_id: string
  received_at: Date
  source_updated_at: Date
  /** The version of the block after the update; null once the item was withdrawn. */
  block_version: number | null
}

/** The last update of an item, if there was one. */
export async function selectSyncState(
  tx: Tx,
  teamId: string,
  connectionId: string,
  externalId: string,
): Promise<SyncStateRow | undefined> {
  const [row] = await tx<SyncStateRow[]>`
    select connection_id, external_id, team_id, delivery_id, received_at, source_updated_at, block_version
    from item_sync_state
    where team_id = ${teamId} and connection_id = ${connectionId} and external_id = ${externalId}`
  return row
}

/** Stores the last update of an item. */
export async function upsertSyncState(tx: Tx, row: SyncStateRow): Promise<void> {
  await tx`
    insert into item_sync_state (connection_id, external_id, team_id, delivery_id, received_at, source_updated_at, block_version)
    values (${row.connection_id}, ${row.external_id}, ${row.team_id}, ${row.delivery_id},
      ${row.received_at}, ${row.source_updated_at}, ${row.block_version})
    on conflict (team_id, connection_id, external_id) do update set delivery_id = excluded.delivery_id,
      received_at = excluded.received_at, source_updated_at = excluded.source_updated_at, block_version = excluded.block_version`
}

/** A group of items in one week: they become one block. */
export interface RollupKey {
  connection_id: string
  group_key: string
  week: string
  team_id: string
}

/** The block that combines the items of a group. */
export interface Rollup {
  block_id: string
  /** The last title that was written by Tidings. */
  title: string
}

/** The block that combines a group's items of a week, if there is one. */
export async function selectRollup(tx: Tx, key: RollupKey): Promise<Rollup | undefined> {
  const [row] = await tx<Rollup[]>`
    select block_id, title from rollups
    where team_id = ${key.team_id} and connection_id = ${key.connection_id}
      and group_key = ${key.group_key} and week = ${key.week}`
  return row
}

/** Stores which block combines a group's items of a week, and its title. */
export async function upsertRollup(tx: Tx, key: RollupKey, rollup: Rollup): Promise<void> {
  await tx`
    insert into rollups (connection_id, group_key, week, team_id, block_id, title)
    values (${key.connection_id}, ${key.group_key}, ${key.week}, ${key.team_id},
      ${rollup.block_id}, ${rollup.title})
    on conflict (team_id, connection_id, group_key, week) do update
    set block_id = excluded.block_id, title = excluded.title`
}

/** An item in a block that combines several. */
export interface RollupItem {
  external_id: string
  block_id: string
  sort_key: string
  heading: string
}

/** The item with this external id in a rollup, if it was added to one. */
export async function selectRollupItem(
  tx: Tx,
  { team_id, connection_id }: RollupKey,
  externalId: string,
): Promise<RollupItem | undefined> {
  const [row] = await tx<RollupItem[]>`
    select external_id, block_id, sort_key, heading from rollup_items
    where team_id = ${team_id} and connection_id = ${connection_id} and external_id = ${externalId}`
  return row
}

/** The items of a rollup, newest first. */
export async function selectRollupItems(
  tx: Tx,
  { team_id, connection_id }: Pick<RollupKey, 'team_id' | 'connection_id'>,
  blockId: string,
): Promise<RollupItem[]> {
  return await tx<RollupItem[]>`
    select external_id, block_id, sort_key, heading from rollup_items
    where team_id = ${team_id} and connection_id = ${connection_id} and block_id = ${blockId}
    order by sort_key desc`
}

/** Stores that an item was added to a rollup. */
export async function insertRollupItem(
  tx: Tx,
  { team_id, connection_id }: RollupKey,
  item: RollupItem,
): Promise<void> {
  await tx`
    insert into rollup_items (connection_id, external_id, team_id, block_id, sort_key, heading)
    values (${connection_id}, ${item.external_id}, ${team_id}, ${item.block_id}, ${item.sort_key},
      ${item.heading})`
}
