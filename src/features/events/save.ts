import type { EventCategory } from '../../contract/vocabulary.ts'
import { type Context, inTransaction, type TxContext } from '../../lib/context.ts'
import { recordAudit } from '../audit-log/index.ts'
import { limitAt } from './create.ts'
import {
  deleteEventRow,
  insertEvent,
  lockEvent,
  type StoredCalendarEvent,
  updateEventRow,
} from './sql.ts'

interface SourceEvent {
  slug: string
  name: string
  /** `YYYY-MM-DD`. */
  event_date: string
  category: EventCategory
  /** When the source said so. */
  source_updated_at: Date
}

/**
 * Creates an event of a source, or updates its name and date unless the source has said something later about it. Other
 * fields, which people may have changed, stay. Returns false when the team has 2,000 events that are
 * not over.
 */
export async function saveEvent(ctx: Context, event: SourceEvent): Promise<boolean> {
  const { teamId } = ctx.actor
  return await inTransaction(ctx, async (txCtx) => {
    const current = await lockEvent(txCtx.sql, teamId, event.slug)
    if (current) return await updateFromSource(txCtx, current, event)
    const texts = { description: null, suggested_content: null, recurs: false }
    const row = { ...event, ...texts, created_at: txCtx.now() }
    if (await insertEvent(txCtx.sql, teamId, row, limitAt(txCtx))) {
      await recordAudit(txCtx, 'event_created', event.name)
      return true
    }
    // Another delivery can have created it at the same moment.
    const created = await lockEvent(txCtx.sql, teamId, event.slug)
    return created !== undefined && (await updateFromSource(txCtx, created, event))
  })
}

async function updateFromSource(
  ctx: TxContext,
  current: StoredCalendarEvent,
  { name, event_date, source_updated_at }: SourceEvent,
): Promise<true> {
  const { source_updated_at: last } = current
  if (last !== null && last >= source_updated_at) return true
  const next = { ...current, name, event_date, source_updated_at }
  await updateEventRow(ctx.sql, ctx.actor.teamId, next)
  if (current.name !== name || current.event_date !== event_date)
    await recordAudit(ctx, 'event_updated', name)
  return true
}

/** Deletes events of a source, those that exist and about which the source has said nothing after `at`. */
export async function deleteEvents(
  ctx: Context,
  { slugs, at }: { slugs: readonly string[]; at: Date },
): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (txCtx) => {
    for (const slug of slugs) {
      const event = await lockEvent(txCtx.sql, teamId, slug)
      if (!event || (event.source_updated_at !== null && event.source_updated_at > at)) continue
      await deleteEventRow(txCtx.sql, teamId, slug)
      await recordAudit(txCtx, 'event_deleted', event.name)
    }
  })
}
