import type { WellKnownSlug } from '../calendar/index.ts'

/** The texts of a well-known day. */
export interface DayTexts {
  name: string
  description: string
  suggested_content: string
}

/** The texts of every well-known day in one language: a missing day is a type error. */
export type WellKnownDays = Readonly<Record<WellKnownSlug, DayTexts>>

/** The names of the days in a language that only chats have. */
export type DayNames = Readonly<Record<WellKnownSlug, string>>
