import {
  eventInLanguage,
  type FoundEvent,
  listEventsBetween,
} from '../../../features/events/index.ts'
import { daysAfter, utcDay } from '../../../lib/clock.ts'
import type { MemberRequest, SubmittedForm } from '../../http/context.ts'
import { textOf } from '../../http/forms/form-data.ts'
import { formatDate } from '../dates/date-time.tsx'
import { eventName } from '../event.tsx'

/** A choice of a select. */
export interface Option {
  value: string
  label: string
}

// News about an event is often written after it.
const daysBack = 30
const daysAhead = 120

/**
 * The choices of a field for an event, in the language of the person: none, the coming events, soonest first, and
 * those of the last month, latest first, by name and date; the present one wherever it is in the calendar.
 */
export async function eventOptions(
  context: MemberRequest,
  present: string,
  submitted?: SubmittedForm,
): Promise<Option[]> {
  const { ctx, t, userLocale } = context
  const today = utcDay(ctx.now())
  const range = { from: daysAfter(today, -daysBack), to: daysAfter(today, daysAhead) }
  const found = await listEventsBetween(ctx, { ...range, category: [] })
  const isComing = ({ event }: FoundEvent) => event.event_date >= today
  const past = found.filter((one) => !isComing(one)).toReversed()
  const options = [...found.filter(isComing), ...past].map((one) => {
    const { slug, name, event_date } = eventInLanguage(one, t.language).event
    return { value: slug, label: `${name}, ${formatDate(userLocale, event_date)}` }
  })
  const chosen = [present, submitted ? textOf(submitted.values, 'event_slug') : '']
  const others = [...new Set(chosen)].filter(
    (slug) => slug !== '' && !options.some(({ value }) => value === slug),
  )
  const named = others.map(async (slug) => ({ value: slug, label: await eventName(context, slug) }))
  return [{ value: '', label: t('common.no_event') }, ...(await Promise.all(named)), ...options]
}
