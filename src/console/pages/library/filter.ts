import {
  type BlockSource,
  type BlockType,
  blockSources,
  blockTypes,
} from '../../../contract/vocabulary.ts'
import type { BlockFilter } from '../../../features/content-blocks/index.ts'

/** The states of blocks, as the library sorts them. */
export const statusTabs = [
  { status: 'draft', title: 'Drafts' },
  { status: 'ready', title: 'Ready' },
  { status: 'used', title: 'Used' },
  { status: 'all', title: 'All' },
] as const

export type Tab = (typeof statusTabs)[number]['status']

/** What the address asks the library for. */
export interface LibraryFilter {
  tab: Tab
  type: BlockType | undefined
  source: BlockSource | undefined
  event: string
  words: string
  after: string | undefined
}

/** Reads an address; what it cannot mean counts as not said. */
export function parseLibraryFilter({ searchParams }: URL): LibraryFilter {
  const text = (name: string) => (searchParams.get(name) ?? '').trim().slice(0, 200)
  const named = text('status')
  const narrowed = text('event') !== '' || text('q') !== ''
  return {
    // Whoever looks for something looks everywhere.
    tab: statusTabs.find(({ status }) => status === named)?.status ?? (narrowed ? 'all' : 'draft'),
    type: blockTypes.find((type) => type === text('type')),
    source: blockSources.find((source) => source === text('source')),
    event: text('event'),
    words: text('q'),
    after: searchParams.get('after') ?? undefined,
  }
}

/** Blocks are for an event of one year, or for it whenever it comes. */
const slugsOf = (event: string) => [...new Set([event, event.replace(/-\d{4}$/, '')])]

/** The blocks that are wanted. */
export const filterOf = ({ tab, type, source, event, words }: LibraryFilter): BlockFilter => ({
  status: tab === 'all' ? [] : [tab],
  blockType: type ? [type] : [],
  source: source ? [source] : [],
  eventSlug: event ? slugsOf(event) : [],
  words: words || null,
  fromId: null,
  beforeId: null,
})

/** The library's address with some of what it asks for changed. */
export function libraryPath(wanted: LibraryFilter, changes: Partial<LibraryFilter> = {}): string {
  const { tab, type, source, event, words, after } = { ...wanted, after: undefined, ...changes }
  const query = new URLSearchParams({ status: tab })
  const rest = { type, source, event, q: words, after }
  for (const [name, value] of Object.entries(rest)) if (value) query.set(name, value)
  return `/library?${query}`
}
