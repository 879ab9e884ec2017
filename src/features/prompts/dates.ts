import { dayMs, daysAfter, weekdayOf } from '../../lib/clock.ts'
import { holidaysOf } from './holidays.ts'
import type { PromptScheduleRow } from './sql.ts'

type Recurrence = Pick<
  PromptScheduleRow,
  'weekday' | 'every_weeks' | 'anchor_date' | 'holiday_region' | 'days_off'
>

/** A day of a schedule. `skipped` says why there is no question: the name of a holiday, or a day off. */
export interface PromptDay {
  /** `YYYY-MM-DD`. */
  day: string
  skipped: { kind: 'holiday'; name: string } | { kind: 'day_off' } | null
}

const weekOf = (day: string) => Math.floor((Date.parse(day) / dayMs + 3) / 7)

/** Whether a schedule has a question on a day, if the day is not a holiday. */
const isPromptDay = (day: string, { weekday, every_weeks, anchor_date }: Recurrence): boolean =>
  weekdayOf(day) === weekday && (weekOf(day) - weekOf(anchor_date)) % every_weeks === 0

/** The next days of a schedule from a day on, with the reason of those that have no question. */
export async function nextPromptDays(
  from: string,
  recurrence: Recurrence,
  { count, language }: { count: number; language: string },
): Promise<PromptDay[]> {
  const days: string[] = []
  for (let day = from; days.length < count; day = daysAfter(day, 1))
    if (isPromptDay(day, recurrence)) days.push(day)
  const years = [...new Set(days.map((day) => Number(day.slice(0, 4))))]
  const { holiday_region: region, days_off } = recurrence
  const holidays = region === null ? new Map() : await holidaysOf(region, years, language)
  return days.map((day) => {
    if (days_off.includes(day)) return { day, skipped: { kind: 'day_off' } }
    const name: string | undefined = holidays.get(day)
    return { day, skipped: name === undefined ? null : { kind: 'holiday', name } }
  })
}
