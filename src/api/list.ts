import * as v from 'valibot'
import { invalidField } from '../lib/errors.ts'
import {
  countLimit,
  type PageMeta as Meta,
  type Page,
  type PageRequest,
  pageMeta,
} from '../lib/pagination.ts'
import type { Answer, ApiDeps, Call } from './operation.ts'

const defaultPerPage = 20
const largestPerPage = 100

/**
 * A parameter that may be given once. The last schema of a parameter's pipe is what the OpenAPI
 * document shows of it; here that is a string.
 */
export const single = v.pipe(
  v.array(v.string()),
  v.maxLength(1, 'may be given only once'),
  v.transform(([value = '']) => value),
  v.string(),
)

/** A whole number, from `least` up, or to `most`. */
export const wholeNumber = (least: number, most = Number.POSITIVE_INFINITY) => {
  const range =
    most === Number.POSITIVE_INFINITY ? `of at least ${least}` : `from ${least} to ${most}`
  const fault = `must be a whole number ${range}`
  return v.pipe(
    single,
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
  single,
  v.picklist(['true', 'false'], 'must be true or false'),
  v.transform((value) => value === 'true'),
)

/** A parameter that may be repeated; several mean OR, none means no filter. */
export const several = <Schema extends v.GenericSchema<string>>(schema: Schema) =>
  v.optional(
    v.pipe(v.array(schema), v.description('Repeat it for several: any of them will do.')),
    [],
  )

/** A repeatable parameter whose values come from a list. */
export const among = <const Values extends readonly string[]>(values: Values) =>
  several(v.picklist(values, `must be one of ${values.join(', ')}`))

/** The parameters every list takes. */
export const pageParameters = {
  page: v.optional(v.pipe(wholeNumber(1), v.description('From 1; without it, 1.'))),
  per_page: v.optional(
    v.pipe(
      wholeNumber(1),
      v.description(`Without it, ${defaultPerPage}; more than ${largestPerPage} counts as that.`),
    ),
  ),
  after: v.optional(
    v.pipe(
      single,
      v.description('`meta.next_cursor` of the page before; reads on from there at any depth.'),
    ),
  ),
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** The `meta` of every list. */
export const PageMeta = v.strictObject({
  page: count,
  per_page: count,
  total: count,
  total_pages: count,
  total_exact: v.optional(v.literal(false)),
  next_cursor: v.nullable(v.string()),
})

type PageParameters = {
  page?: number | undefined
  per_page?: number | undefined
  after?: string | undefined
}

/** What page a list call asks for. Throws `validation_failed` for a foreign cursor or too deep a page. */
export function pageRequest(
  deps: ApiDeps,
  list: string,
  { caller, query }: Pick<Call<PageParameters>, 'caller' | 'query'>,
): PageRequest {
  const perPage = Math.min(query.per_page ?? defaultPerPage, largestPerPage)
  const page = query.page ?? 1
  if (query.after !== undefined) {
    const afterId = deps.cursors.verify(list, caller.teamId, query.after)
    if (afterId === null) {
      throw invalidField('?after', 'after is not a cursor of this list; take meta.next_cursor')
    }
    return { page, perPage, afterId }
  }
  if (page * perPage > countLimit) {
    throw invalidField('?page', `page reaches beyond ${countLimit} rows; read on with after`)
  }
  return { page, perPage }
}

/** A list's answer: the items under their name, `meta`, and a `Link` header (RFC 8288). */
export function listAnswer<Item extends { id: string }>(
  deps: ApiDeps,
  name: string,
  call: Pick<Call, 'caller' | 'request'>,
  asked: PageRequest,
  page: Page<Item>,
): Answer {
  return keyedListAnswer(deps, name, call, asked, page, ({ id }) => id)
}

/** The same for items without an id: `keyOf` is what the list is ordered by, as `asked.afterId` gives it back. */
export function keyedListAnswer<Item>(
  deps: ApiDeps,
  name: string,
  { caller, request }: Pick<Call, 'caller' | 'request'>,
  asked: PageRequest,
  page: Page<Item>,
  keyOf: (item: Item) => string,
): Answer {
  const cursorOf = (item: Item) => deps.cursors.sign(name, caller.teamId, keyOf(item))
  const meta = pageMeta(page, asked, cursorOf)
  return {
    status: 200,
    body: { [name]: page.items, meta },
    headers: { link: linkHeader(new URL(request.url), asked, meta) },
  }
}

/** Links are relative references, so that they hold behind any proxy; the key never goes into one. */
function linkHeader(url: URL, asked: PageRequest, meta: Meta): string {
  const link = (rel: string, parameters: Record<string, string | null>) => {
    const target = new URLSearchParams(url.search)
    target.delete('api_key')
    for (const [name, value] of Object.entries(parameters)) {
      if (value === null) target.delete(name)
      else target.set(name, value)
    }
    return `<${url.pathname}?${target}>; rel="${rel}"`
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
