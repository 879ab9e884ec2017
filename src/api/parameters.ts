import * as v from 'valibot'
import { described } from '../contract/described.ts'
import { timestamp } from '../contract/text.ts'
import { invalidField } from '../lib/errors.ts'
import { firstIdAt } from '../lib/ids.ts'
import { isByUpdate, type ListSort, listSorts } from '../lib/lists/list-order.ts'

const repeated = 'may be given only once'

/**
 * A parameter that may be given once. The last schema of a parameter's pipe is what the OpenAPI
 * document shows of it; here that is a string.
 */
export const singleValue = v.string(repeated)

/** A whole number, from `min` up, or to `max`. */
export const wholeNumber = (min: number, max = Number.POSITIVE_INFINITY) => {
  const range = max === Number.POSITIVE_INFINITY ? `of at least ${min}` : `from ${min} to ${max}`
  const message = `must be a whole number ${range}`
  return v.pipe(
    v.union([v.string(), v.number()], repeated),
    v.transform(String),
    v.regex(/^\d+$/, message),
    v.transform((value) => Math.min(Number(value), Number.MAX_SAFE_INTEGER)),
    v.number(),
    v.integer(),
    v.minValue(min, message),
    v.maxValue(max, message),
  )
}

/** `true` or `false`. */
export const booleanParameter = v.pipe(
  v.union([v.string(), v.boolean()], repeated),
  v.transform(String),
  v.picklist(['true', 'false'], 'must be true or false'),
  v.transform((value) => value === 'true'),
  v.boolean(),
)

/** One of the orders of a list. */
export const order = <const Orders extends readonly string[]>(orders: Orders) =>
  v.picklist(orders, ({ input }) =>
    Array.isArray(input) ? repeated : `must be one of ${orders.join(', ')}`,
  )

/** A parameter that may be repeated; several mean OR, absence means no filter. */
export const repeatable = <Value extends string>(
  schema: v.GenericSchema<Value>,
  description: string,
  example: Value,
) =>
  v.optional(
    v.pipe(
      v.custom<Value | Value[]>(() => true),
      v.transform((given) => [given].flat()),
      v.array(schema),
      v.metadata({
        description: `${description} Repeat it for several values: one of them must match.`,
        examples: [[example]],
      }),
    ),
  )

/** A repeatable parameter whose values come from a list. */
export const repeatableChoice = <const Values extends readonly [string, ...string[]]>(
  values: Values,
  description: string,
) =>
  repeatable<Values[number]>(
    v.picklist(values, `must be one of ${values.join(', ')}`),
    description,
    values[0],
  )

/** The parameters every list takes. */
export const pageParameters = {
  page: v.optional(described(wholeNumber(1), 'The number of the page, from 1; without it, 1.', 1)),
  per_page: v.optional(
    described(
      wholeNumber(1),
      'How many items a page has at most; without it 20, never more than 100.',
      20,
    ),
  ),
  after: v.optional(
    described(
      singleValue,
      '`meta.next_cursor` of the page before: continues from there at any depth.',
      'bmV4dA',
    ),
  ),
  fields: v.optional(
    described(
      singleValue,
      'The fields of each item that the response contains, separated by commas; without it, all.',
      'id,updated_at',
    ),
  ),
}

/** A `+` that is not percent-encoded arrives as a space, which a time never has before its zone. */
const withPlus = (time: string) => time.replace(/ (?=\d{2}:\d{2}$)/, '+')

const moment = v.optional(v.pipe(singleValue, v.transform(withPlus), timestamp))

/** The parameters of lists of things that change. */
export const timeParameters = {
  sort: v.optional(
    described(
      order(listSorts),
      'The order; a minus stands for the newest first. Without it `-created_at`, or `-updated_at` with `updated_after` or `updated_before`.',
      'updated_at',
    ),
  ),
  created_after: described(moment, 'Created at this time or later.', '2026-11-01T00:00:00Z'),
  created_before: described(moment, 'Created before this time.', '2026-12-01T00:00:00Z'),
  updated_after: described(
    moment,
    'Changed or created at this time or later; the list is sorted by `updated_at`.',
    '2026-11-20T09:30:00Z',
  ),
  updated_before: described(
    moment,
    'Changed or created before this time; the list is sorted by `updated_at`.',
    '2026-12-01T00:00:00Z',
  ),
}

const TimeQuery = v.object(timeParameters)
type TimeQuery = v.InferOutput<typeof TimeQuery>

/**
 * The times and the order that a query asks for. Ids begin with the time of creation, and `prefix` is
 * that of the list's ids. Throws `validation_failed` for a range of one time in a list that is sorted
 * by the other: no index could find these.
 */
export function timeFilterOf(query: TimeQuery, prefix: 'cb' | 'nl') {
  const sort = sortOf(query)
  const other = isByUpdate(sort) ? 'created' : 'updated'
  for (const name of [`${other}_after`, `${other}_before`] as const) {
    if (query[name]) throw sortError(name, other)
  }
  const idAt = (time: Date | undefined) => (time ? firstIdAt(prefix, time) : null)
  return {
    sort,
    fromId: idAt(query.created_after),
    beforeId: idAt(query.created_before),
    updatedFrom: query.updated_after ?? null,
    updatedBefore: query.updated_before ?? null,
  }
}

function sortOf({ sort, updated_after, updated_before }: TimeQuery): ListSort {
  return sort ?? ((updated_after ?? updated_before) ? '-updated_at' : '-created_at')
}

/** The 422 for a parameter that needs a list sorted by another time. */
export const sortError = (name: string, time: 'created' | 'updated') =>
  invalidField(`?${name}`, `${name} needs sort=${time}_at or sort=-${time}_at`)
