import {
  type BlockSource,
  type BlockType,
  blockSources,
  blockTypes,
} from '../../../../contract/vocabulary.ts'
import type { BlockFilter } from '../../../../features/content-blocks/index.ts'

/** The tabs of the library. */
export const statusTabs = [
  { status: 'draft', title: 'library.drafts' },
  { status: 'ready', title: 'common.ready' },
  { status: 'used', title: 'common.used' },
  { status: 'all', title: 'library.all' },
] as const

export type Tab = (typeof statusTabs)[number]['status']

/** The filter in the query of the URL. */
export interface LibraryFilter {
  tab: Tab
  type: BlockType | undefined
  source: BlockSource | undefined
  event: string
  query: string
  /** Only blocks that are assigned to the person. */
  mine: boolean
  after: string | undefined
}

/** Parses the filter; invalid values are ignored. */
export function parseLibraryFilter({ searchParams }: Pick<URL, 'searchParams'>): LibraryFilter {
  const text = (name: string) => (searchParams.get(name) ?? '').trim().slice(0, 200)
  const status = text('status')
  const isFiltered = text('event') !== '' || text('q') !== ''
  return {
    // A search covers all statuses.
    tab: statusTabs.find((one) => one.status === status)?.status ?? (isFiltered ? 'all' : 'draft'),
    type: blockTypes.find((type) => type === text('type')),
    source: blockSources.find((source) => source === text('source')),
    event: text('event'),
    query: text('q'),
    mine: text('assignee') === 'me',
    after: searchParams.get('after') ?? undefined,
  }
}

/** The filter in a path of the library that a form has sent; none for any other text. */
export const filterOfPath = (path: string): LibraryFilter =>
  parseLibraryFilter({ searchParams: new URLSearchParams(path.replace(/^[^?]*/, '')) })

/** True for a filter that shows all blocks of its tab. */
export const showsWholeTab = ({ type, source, event, query, mine }: LibraryFilter): boolean =>
  !type && !source && !event && !query && !mine

/** The slugs that match an event: that of one year, and that of every year. */
const matchingEventSlugs = (event: string) => [...new Set([event, event.replace(/-\d{4}$/, '')])]

/** The filter for `listBlocks`. */
export const toBlockFilter = (
  { tab, type, source, event, query: words, mine }: LibraryFilter,
  memberId: string,
): BlockFilter => ({
  status: tab === 'all' ? [] : [tab],
  blockType: type ? [type] : [],
  source: source ? [source] : [],
  eventSlug: event ? matchingEventSlugs(event) : [],
  words: words || null,
  isTyped: true,
  assignee: mine ? memberId : null,
  fromId: null,
  beforeId: null,
})

/** The path of the library with a changed filter; it starts at the first page. */
export function libraryPath(filter: LibraryFilter, changes: Partial<LibraryFilter> = {}): string {
  const {
    tab,
    type,
    source,
    event,
    query: words,
    mine,
    after,
  } = { ...filter, after: undefined, ...changes }
  const query = new URLSearchParams({ status: tab })
  const others = { type, source, event, q: words, assignee: mine ? 'me' : '', after }
  for (const [name, value] of Object.entries(others)) if (value) query.set(name, value)
  return `/library?${query}`
}
