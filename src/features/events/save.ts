import type { EventCategory } from '../../contract/vocabulary.ts'
import { type Context, inTransaction } from '../../lib/context.ts'
import { recordAudit } from '../audit-log/index.ts'
import { maxEvents } from './create.ts'
import { deleteEventRow, insertEvent, lockEvent, updateEventRow } from './sql.ts'

interface SourceEvent {
  slug: string
  name: string
  /** `YYYY-MM-DD`. */
  event_date: string
  category: EventCategory
}

/**
 * Creates an event of a source, or updates its name and date. Other fields, which people may have changed, stay.
 * Returns false when the team has 2,000 events.
 */
export async function saveEvent(ctx: Context, event: SourceEvent): Promise<boolean> {
  const { teamId } = ctx.actor
  return await inTransaction(ctx, async (txCtx) => {
    const current = await lockEvent(txCtx.sql, teamId, event.slug)
    const { name, event_date } = event
    if (current) {
      if (current.name === name && current.event_date === event_date) return true
      await updateEventRow(txCtx.sql, teamId, { ...current, name, event_date })
      await recordAudit(txCtx, 'event_updated', name)
      return true
    }
    const texts = { description: null, suggested_content: null, recurs: false }
    const row = { ...event, ...texts, created_at: txCtx.now() }
    if (!(await insertEvent(txCtx.sql, teamId, row, maxEvents))) return false
    await recordAudit(txCtx, 'event_created', name)
    return true
  })
}

/** Deletes events of a source, those that exist. */
export async function deleteEvents(ctx: Context, slugs: readonly string[]): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    for (const slug of slugs) {
      const name = await deleteEventRow(txCtx.sql, ctx.actor.teamId, slug)
      if (name !== null) await recordAudit(txCtx, 'event_deleted', name)
    }
  })
}
