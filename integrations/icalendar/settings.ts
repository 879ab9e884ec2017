import * as v from 'valibot'
import { flag, secret } from '../kit/adapter.ts'
import { isTimeZone } from '../kit/dates.ts'
import { pollMinutes } from '../kit/polling/settings.ts'

const daysMessage = 'must be a number of days from 1 to 90'

/** The settings of a connection; see the README beside this file. */
export const Settings = v.object({
  /** Secret, because whoever knows the address of a calendar can often read all of it. */
  url: secret(),
  days_ahead: v.optional(
    v.pipe(
      v.union([v.string(), v.number()], daysMessage),
      v.transform(Number),
      v.integer(daysMessage),
      v.minValue(1, daysMessage),
      v.maxValue(90, daysMessage),
    ),
    30,
  ),
  include_description: flag({ label: 'The description of an event becomes part of its text' }),
  time_zone: v.optional(
    v.pipe(v.string(), v.check(isTimeZone, 'must be a time zone such as Europe/Berlin')),
  ),
  every_minutes: pollMinutes(60),
})

export type Settings = v.InferOutput<typeof Settings>

/** The address of the calendar. Calendars are often given as `webcal:`, which is https. */
export const addressOf = ({ url: [address = ''] }: Settings): string =>
  address.trim().replace(/^webcals?:/i, 'https:')
