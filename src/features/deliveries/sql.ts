import type { Sql, Tx } from '../../lib/database/db.ts'

/** The statuses of a delivery. */
export const deliveryStatuses = ['waiting', 'delivered', 'ignored', 'failed', 'withdrawn'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** How a provider caused the failure of an attempt. */
export type DeliveryProblem = 'refused' | 'rate_limited' | 'unavailable'

export interface DeliveryRow {
  id: string
  team_id: string
  connection_id: string
  /** The provider's own id. */
  delivery_id: string
  status: DeliveryStatus
  /** Why it was ignored or failed; while it waits, why the last attempt failed. */
  reason: string | null
  block_ids: string[]
  attempts: number
  replayable: boolean
  received_at: Date
  settled_at: Date | null
}

export interface NewDeliveryRow {
  id: string
  team_id: string
  connection_id: string
  delivery_id: string
  status: 'waiting' | 'ignored'
  event: unknown
  ephemeral_context: Buffer | null
  reason: string | null
  received_at: Date
  settled_at: Date | null
}

const asJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

/** Stores a delivery. False when the connection has one with this id. */
export async function insertDelivery(sql: Sql | Tx, row: NewDeliveryRow): Promise<boolean> {
  const rows = await sql`
    insert into deliveries (id, team_id, connection_id, delivery_id, status, event, ephemeral_context, reason, received_at, settled_at)
    values (${row.id}, ${row.team_id}, ${row.connection_id}, ${row.delivery_id}, ${row.status},
      ${asJson(row.event)}::text::json, ${row.ephemeral_context}, ${row.reason}, ${row.received_at}, ${row.settled_at})
    on conflict (team_id, connection_id, delivery_id) do nothing returning id`
  return rows.length > 0
}

export interface WaitingRow {
  id: string
  team_id: string
  connection_id: string
  event: unknown
  ephemeral_context: Buffer | null
  items: unknown
  /** Why the last attempt failed. */
  reason: string | null
  replays: number
  attempts: number
  received_at: Date
}

const waitingColumns = (sql: Sql) => sql`
  id, team_id, connection_id, event, ephemeral_context, items, reason, replays, attempts,
  received_at`

/** Counts an attempt at a waiting delivery and returns it. */
export async function startAttempt(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<WaitingRow | undefined> {
  const [row] = await sql<WaitingRow[]>`
    update deliveries set attempts = attempts + 1
    where team_id = ${teamId} and id = ${id} and status = 'waiting'
    returning ${waitingColumns(sql)}`
  return row
}

/** A waiting delivery. */
export async function selectWaiting(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<WaitingRow | undefined> {
  const [row] = await sql<WaitingRow[]>`
    select ${waitingColumns(sql)} from deliveries
    where team_id = ${teamId} and id = ${id} and status = 'waiting'`
  return row
}

/** Stores the composed items unless some are stored already. Returns what is stored. */
export async function storeFirstItems(
  sql: Sql | Tx,
  teamId: string,
  id: string,
  items: unknown,
): Promise<unknown> {
  const [row] = await sql<{ items: unknown }[]>`
    update deliveries set items = coalesce(items, ${asJson(items)}::text::json)
    where team_id = ${teamId} and id = ${id} and status = 'waiting'
    returning items`
  return row?.items
}

/** Replaces the composed items of a waiting delivery. */
export async function updateComposedItems(
  sql: Sql,
  teamId: string,
  id: string,
  items: unknown,
): Promise<void> {
  await sql`
    update deliveries set items = ${asJson(items)}::text::json
    where team_id = ${teamId} and id = ${id} and status = 'waiting'`
}

/** Replaces the ephemeral data of a waiting delivery. */
export async function updateEphemeralContext(
  sql: Sql | Tx,
  teamId: string,
  id: string,
  ephemeralContext: Buffer,
): Promise<void> {
  await sql`
    update deliveries set ephemeral_context = ${ephemeralContext}
    where team_id = ${teamId} and id = ${id} and status = 'waiting'`
}

/** Stores why the last attempt failed. */
export async function updateFailure(
  sql: Sql,
  teamId: string,
  id: string,
  { reason, problem }: { reason: string; problem: DeliveryProblem | null },
): Promise<void> {
  await sql`
    update deliveries set reason = ${reason}, problem = ${problem}
    where team_id = ${teamId} and id = ${id} and status = 'waiting'`
}

export interface OutcomeRow {
  status: Exclude<DeliveryStatus, 'waiting'>
  reason: string | null
  block_ids: string[]
  /** The event stays stored for a replay. */
  keep_event: boolean
  /** The notification for its sender, encrypted. */
  notification: Buffer | null
  settled_at: Date
}

/**
 * Settles a waiting delivery and deletes what only forwarding needed. A replay cannot compose what a person has said in a
 * conversation again, so it stays after a failure; so do private items, because their block can have been created before
 * it was stored that it is private. False when it was settled before.
 */
export async function completeRow(
  sql: Sql | Tx,
  teamId: string,
  id: string,
  outcome: OutcomeRow,
): Promise<boolean> {
  const rows = await sql`
    update deliveries set status = ${outcome.status}, reason = ${outcome.reason},
      block_ids = ${outcome.block_ids}, settled_at = ${outcome.settled_at},
      event = case when ${outcome.keep_event} then event end,
      ephemeral_context = case when ${outcome.status === 'failed'} then ephemeral_context end,
      items = case when ${outcome.status === 'failed'}
        and (items ->> 'fromConversation' = 'true' or items ->> 'fromPrivate' = 'true') then items end,
      problem = null, notification = ${outcome.notification}, notification_started_at = null
    where team_id = ${teamId} and id = ${id} and status = 'waiting'
    returning id`
  return rows.length > 0
}

/** True while the connection has a waiting delivery that was received before this one. */
export async function existsEarlierWaiting(
  sql: Sql,
  teamId: string,
  connectionId: string,
  id: string,
): Promise<boolean> {
  const rows = await sql`
    select 1 from deliveries
    where team_id = ${teamId} and connection_id = ${connectionId} and status = 'waiting' and id < ${id}
    limit 1`
  return rows.length > 0
}

/** Which items other deliveries of a connection have saved since a moment: those whose provider's id begins differently. */
export async function selectSavedByOthers(
  sql: Sql | Tx,
  teamId: string,
  connectionId: string,
  { externalIds, prefix, since }: { externalIds: readonly string[]; prefix: string; since: Date },
): Promise<string[]> {
  const rows = await sql<{ external_id: string }[]>`
    select distinct b.external_id from deliveries d
    join content_blocks b on b.team_id = d.team_id and b.id = any(d.block_ids)
    where d.team_id = ${teamId} and d.connection_id = ${connectionId} and d.status = 'delivered'
      and d.settled_at >= ${since} and not starts_with(d.delivery_id, ${prefix})
      and b.external_id = any(${[...externalIds]})`
  return rows.map(({ external_id }) => external_id)
}

interface ReopenedRow {
  api_key_id: string
  adapter: string
  received_at: Date
}

/** Sets a failed or ignored delivery to waiting, if its event is stored. */
export async function reopenRow(
  tx: Tx,
  teamId: string,
  id: string,
): Promise<ReopenedRow | undefined> {
  const [row] = await tx<ReopenedRow[]>`
    update deliveries d set status = 'waiting', replays = replays + 1, reason = null,
      settled_at = null
    from connections c
    where d.team_id = ${teamId} and d.id = ${id} and d.status in ('failed', 'ignored')
      and d.event is not null and c.team_id = d.team_id and c.id = d.connection_id
    returning c.api_key_id, c.adapter, d.received_at`
  return row
}
