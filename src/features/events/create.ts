import { utcDay } from '../../lib/clock.ts'
import { type Context, inTransaction } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { invalidField } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/index.ts'
import { insertEvent, type OwnEvent, selectEventsBySlug } from './sql.ts'

/** The maximum number of events of a team, because its whole calendar is read at once. */
const maxEvents = 2_000

/** The limit of events, without those of sources that are over. */
export const limitAt = ({ now }: Pick<Context, 'now'>) => ({ max: maxEvents, today: utcDay(now()) })

/** Throws `validation_failed` when the team has an event of its own with this slug. */
export async function requireFreeEventSlug(ctx: Context, slug: string): Promise<void> {
  const [taken] = await withDeadline(selectEventsBySlug(ctx.sql, ctx.actor.teamId, [slug]))
  if (taken) throw slugTaken(slug)
}

const slugTaken = (slug: string) =>
  invalidField('/slug', `slug "${slug}" belongs to another event already`, 'taken')

/**
 * Creates an event of a team. With the slug of a well-known day it replaces that day; with
 * `<slug>-<year>` it replaces the day of one year. Throws `validation_failed` when the slug is
 * taken or the team has 2,000 events; those of sources that are over do not count.
 */
export async function createEvent(ctx: Context, event: OwnEvent): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (txCtx) => {
    const row = { ...event, source_updated_at: null, created_at: txCtx.now() }
    if (!(await insertEvent(txCtx.sql, teamId, row, limitAt(txCtx)))) {
      const [taken] = await selectEventsBySlug(txCtx.sql, teamId, [event.slug])
      throw taken
        ? slugTaken(event.slug)
        : invalidField('', `a team may have at most ${maxEvents} events`, 'too_many')
    }
    await recordAudit(txCtx, 'event_created', event.name)
  })
}
