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
} from '../lib/lists/pagination.ts'
import { apiRequestOf } from './authentication.ts'
import type { ApiDeps } from './deps.ts'
import { unknownParameters, warningsFor } from './input.ts'

const defaultPerPage = 20
const largestPerPage = 100

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
  fields?: string | undefined
}

/** What a list needs of its request. */
interface ListContext {
  caller: Caller
  query: PageParameters
  request: Request
  set: Context['set']
}

interface List<Item> {
  name: string
  /** Its order, where there are several. A cursor fits no other list and no other order. */
  sort?: string
  /** The parameters that it knows. */
  parameters: Entries
  /** The fields of an item. */
  fields: Entries
  load(page: PageRequest): Promise<Page<Item>>
  /** What the list is ordered by. */
  positionOf(item: Item): string
}

type Entries = { entries: Readonly<Record<string, unknown>> }

/**
 * One page of a list and its `meta`; sets the `Link` header (RFC 8288). Throws `validation_failed` for
 * a foreign cursor and for a page that is too deep.
 */
export async function paginate<Item extends object>(
  deps: ApiDeps,
  { caller, query, request, set }: ListContext,
  list: List<Item>,
): Promise<{ items: Item[]; meta: Meta & { warnings?: string[] } }> {
  const name = list.sort ? `${list.name} by ${list.sort}` : list.name
  const asked = pageRequest(deps.cursors, name, caller.teamId, query)
  const page = await list.load(asked)
  if (page.areKeysActive) apiRequestOf(request).isKeyActive = true
  const cursorOf = (item: Item) => deps.cursors.sign(name, caller.teamId, list.positionOf(item))
  const meta = pageMeta(page, asked, cursorOf)
  const { path, query: parameters } = contextOf(request)
  const links = linkHeader(`${deps.baseUrl}${path}`, parameters, asked, meta)
  if (links !== '') set.headers['link'] = links
  const fields = chooseFields(query.fields, Object.keys(list.fields.entries))
  const warnings = [...unknownParameters(request, list.parameters), ...fields.warnings]
  return {
    items: fields.chosen ? withFields(page.items, fields.chosen) : page.items,
    meta: warnings.length > 0 ? { ...meta, warnings } : meta,
  }
}

/** The known ones of the fields asked for, or null for all, and a warning for each unknown one. */
function chooseFields(asked: string | undefined, known: readonly string[]) {
  const names = (asked ?? '').split(',').map((name) => name.trim())
  const chosen = names.filter((name) => known.includes(name))
  const unknown = names.filter((name) => name !== '' && !known.includes(name))
  return {
    chosen: chosen.length > 0 ? chosen : null,
    warnings: warningsFor('field', unknown, known),
  }
}

/** Sound because a client that names fields expects no others. */
const withFields = <Item extends object>(items: readonly Item[], names: readonly string[]) =>
  items.map(
    (item) =>
      Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name))) as Item,
  )

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

/** Proxies such as nginx read all headers of a response into 4 KB unless they are configured otherwise. */
const maxLinkBytes = 3 * 1024

/**
 * The links to other pages; the key never becomes part of one. Each repeats the query: of a long one, only the link to
 * the next page is left, or none.
 */
function linkHeader(address: string, parameters: string, asked: PageRequest, meta: Meta): string {
  const link = (rel: string, changes: Record<string, string | null>) => {
    const target = new URLSearchParams(parameters)
    target.delete('api_key')
    for (const [name, value] of Object.entries(changes)) {
      // `name[]` is read as `name`, and neither may be given twice.
      target.delete(`${name}[]`)
      if (value === null) target.delete(name)
      else target.set(name, value)
    }
    return `<${address}?${target}>; rel="${rel}"`
  }
  const toPage = (rel: string, page: number) => link(rel, { page: String(page), after: null })
  const isNumbered = asked.afterId === undefined
  const nextFits = isNumbered && (asked.page + 1) * asked.perPage <= countLimit
  const after = { after: meta.next_cursor, page: null }
  const toNext = nextFits ? toPage('next', asked.page + 1) : link('next', after)
  const next = meta.next_cursor ? [toNext] : []
  const all = [
    toPage('first', 1),
    ...(isNumbered && asked.page > 1 ? [toPage('prev', asked.page - 1)] : []),
    ...next,
    ...(isNumbered && meta.total_pages > 0 ? [toPage('last', meta.total_pages)] : []),
  ]
  const fitting = [all, next].map((links) => links.join(', '))
  return fitting.find((header) => header.length <= maxLinkBytes) ?? ''
}
