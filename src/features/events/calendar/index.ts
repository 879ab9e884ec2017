import type { EventCategory } from '../../../contract/vocabulary.ts'
import { awareness } from './awareness.ts'
import { corporate } from './corporate.ts'
import { cultural } from './cultural.ts'
import { diversity } from './diversity.ts'
import type { Day } from './rules.ts'
import { seasonal } from './seasonal.ts'
import { wellness } from './wellness.ts'

export { fixed, type Rule } from './rules.ts'

/** A well-known day that every installation has. */
export interface CalendarDay extends Day {
  category: EventCategory
}

/** The slugs of all well-known days. */
export type WellKnownSlug = (
  | typeof awareness
  | typeof corporate
  | typeof cultural
  | typeof diversity
  | typeof seasonal
  | typeof wellness
)[number]['slug']

const inCategory = (category: EventCategory, days: readonly Day[]): CalendarDay[] =>
  days.map((day) => ({ ...day, category }))

/** The calendar of every installation. The tables of lunar dates contain 2025 to 2036. */
export const calendar: readonly CalendarDay[] = [
  ...inCategory('awareness_day', awareness),
  ...inCategory('cultural', cultural),
  ...inCategory('seasonal', seasonal),
  ...inCategory('corporate', corporate),
  ...inCategory('wellness', wellness),
  ...inCategory('diversity', diversity),
]
