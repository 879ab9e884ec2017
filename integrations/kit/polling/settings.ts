import * as v from 'valibot'

const [min, max] = [15, 1_440]
const message = `must be a number of minutes from ${min} to ${max}`

/** A setting with the minutes between two polls, as the command line and forms write it. */
export const pollMinutes = (byDefault: number) =>
  v.optional(
    v.pipe(
      v.union([v.string(), v.number()], message),
      v.transform(Number),
      v.number(message),
      v.integer(message),
      v.minValue(min, message),
      v.maxValue(max, message),
      v.metadata({ label: 'Interval in minutes' }),
    ),
    byDefault,
  )
