import type { Context } from 'elysia'
import * as v from 'valibot'
import { described } from '../contract/described.ts'
import type { Caller } from '../features/api-keys/index.ts'
import { invalidField } from '../lib/errors.ts'
import { contextOf } from '../lib/http/index.ts'
import {
  type Cursors,
  countLimit,
  type PageMeta as Meta,
  type Page,
  type PageRequest,
  pageMeta,
} from '../lib/pagination.ts'
import type { ApiDeps } from './deps.ts'
import { unknownParameters } from './query.ts'

const defaultPerPage = 20
const largestPerPage = 100

const once = 'may be given only once'

/**
 * A parameter that may be given once. The last schema of a parameter's pipe is what the OpenAPI
 * document shows of it; here that is a string.
 */
export const single = v.string(once)

/** A whole number, from `least` up, or to `most`. */
export const wholeNumber = (least: number, most = Number.POSITIVE_INFINITY) => {
  const range =
    most === Number.POSITIVE_INFINITY ? `of at least ${least}` : `from ${least} to ${most}`
  const fault = `must be a whole number ${range}`
  return v.pipe(
    v.union([v.string(), v.number()], once),
    v.transform(String),
    v.regex(/^\d{1,9}$/, fault),
    v.transform(Number),
    v.number(),
    v.integer(),
    v.minValue(least, fault),
    v.maxValue(most, fault),
  )
}

/** `true` or `false`. */
export const flag = v.pipe(
  v.union([v.string(), v.boolean()], once),
  v.transform(String),
  v.picklist(['true', 'false'], 'must be true or false'),
  v.transform((value) => value === 'true'),
)

/** A parameter that may be repeated; several mean OR, absence means no filter. */
export const several = <Value extends string>(
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
export const among = <const Values extends readonly [string, ...string[]]>(
  values: Values,
  description: string,
) =>
  several<Values[number]>(
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
      single,
      '`meta.next_cursor` of the page before: continues from there at any depth.',
      'bmV4dA',
    ),
  ),
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** The `meta` of every list. */
export const PageMeta = v.strictObject({
  page: described(
    v.nullable(count),
    'The number of this page, from 1; null when `after` was given.',
    1,
  ),
  per_page: described(count, 'How many items a page has at most.', 20),
  total: described(count, 'How many items there are; at most 10000 is counted.', 45),
  total_pages: described(count, 'How many pages `page` can go through.', 3),
  total_exact: v.optional(
    described(v.literal(false), 'Present when there are more items than `total` says.', false),
  ),
  next_cursor: described(
    v.nullable(v.string()),
    'What `after` takes to read the next page; null on the last one.',
    null,
  ),
  warnings: v.optional(
    described(v.array(v.string()), 'Parameters that were ignored, one sentence each.', [
      'the parameter stauts is unknown and was ignored; did you mean status?',
    ]),
  ),
})

/** The `meta` of an example with one item. */
export const exampleMeta = {
  page: 1,
  per_page: 20,
  total: 1,
  total_pages: 1,
  next_cursor: null,
}

/** The `meta` of a list's response. */
export const listMetaField = described(PageMeta, 'Where this page is in the list.', exampleMeta)

type PageParameters = {
  page?: number | undefined
  per_page?: number | undefined
  after?: string | undefined
}

/** What a list needs of its request. */
interface ListContext {
  caller: Caller
  query: PageParameters
  request: Request
  set: Context['set']
  /** The query that the list knows. */
  schema: { entries: Readonly<Record<string, unknown>> }
}

/**
 * One page of a list and its `meta`; sets the `Link` header (RFC 8288). `keyOf` gives what the list
 * is ordered by. Throws `validation_failed` for a foreign cursor and for a page that is too deep.
 */
export async function paginate<Item>(
  deps: ApiDeps,
  list: string,
  { caller, query, request, set, schema }: ListContext,
  load: (page: PageRequest) => Promise<Page<Item>>,
  keyOf: (item: Item) => string,
): Promise<{ items: Item[]; meta: Meta & { warnings?: string[] } }> {
  const asked = pageRequest(deps.cursors, list, caller.teamId, query)
  const page = await load(asked)
  const meta = pageMeta(page, asked, (item) => deps.cursors.sign(list, caller.teamId, keyOf(item)))
  const { path, query: parameters } = contextOf(request)
  set.headers['link'] = linkHeader(`${deps.baseUrl}${path}`, parameters, asked, meta)
  const warnings = unknownParameters(request, schema)
  return { items: page.items, meta: warnings.length > 0 ? { ...meta, warnings } : meta }
}

function pageRequest(
  cursors: Cursors,
  list: string,
  teamId: string,
  query: PageParameters,
): PageRequest {
  const perPage = Math.min(query.per_page ?? defaultPerPage, largestPerPage)
  const page = query.page ?? 1
  if (query.after !== undefined) {
    const afterId = cursors.verify(list, teamId, query.after)
    if (afterId === null) {
      throw invalidField('?after', 'after is not a cursor of this list; use meta.next_cursor')
    }
    return { page, perPage, afterId }
  }
  if (page * perPage > countLimit) {
    throw invalidField('?page', `page reaches beyond ${countLimit} rows; continue with after`)
  }
  return { page, perPage }
}

/** The links to other pages; the key never becomes part of one. */
function linkHeader(address: string, parameters: string, asked: PageRequest, meta: Meta): string {
  const link = (rel: string, changes: Record<string, string | null>) => {
    const target = new URLSearchParams(parameters)
    target.delete('api_key')
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) target.delete(name)
      else target.set(name, value)
    }
    return `<${address}?${target}>; rel="${rel}"`
  }
  const toPage = (rel: string, page: number) => link(rel, { page: String(page), after: null })
  const links = [toPage('first', 1)]
  if (asked.afterId !== undefined) {
    if (meta.next_cursor) links.push(link('next', { after: meta.next_cursor, page: null }))
    return links.join(', ')
  }
  if (asked.page > 1) links.push(toPage('prev', asked.page - 1))
  const nextFits = (asked.page + 1) * asked.perPage <= countLimit
  if (meta.next_cursor && nextFits) links.push(toPage('next', asked.page + 1))
  else if (meta.next_cursor) links.push(link('next', { after: meta.next_cursor, page: null }))
  if (meta.total_pages > 0) links.push(toPage('last', meta.total_pages))
  return links.join(', ')
}
