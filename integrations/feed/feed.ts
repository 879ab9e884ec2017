import { decodeXml } from '../kit/polling/decode-text.ts'
import { fetchDocument } from '../kit/polling/fetch-document.ts'
import type { PollContext, PollResult, SourceEntry } from '../kit/polling/polling.ts'
import { ProviderError } from '../kit/provider-error.ts'
import { readDocument } from './document.ts'
import { type Entry, type FeedEvent, readEntry } from './entry.ts'
import type { Settings } from './settings.ts'

const accept =
  'application/atom+xml, application/rss+xml, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1'
/** Older entries are old news. */
const maxEntries = 100

/** Reads the entries of a feed, the newest first. */
export async function pollFeed({
  settings,
  provider,
  state,
}: PollContext<Settings>): Promise<PollResult<FeedEvent>> {
  const request = { provider, setting: 'url', address: settings.url, accept }
  const fetched = await fetchDocument({ ...request, state })
  if (fetched === 'unchanged') return { kind: 'unchanged' }
  if (fetched === 'ended') return { kind: 'ended', reason: 'The source has ended (410).' }
  const entries = readFeed(fetched.bytes, fetched, settings)
  if (entries === null) {
    const message =
      'At this address is neither an RSS nor an Atom feed. Enter the address of the feed as url, not that of the page.'
    throw new ProviderError('refused', message)
  }
  return { kind: 'entries', entries, state: fetched.state }
}

/** The entries of a document, the newest first, each once; null when it is no feed. */
export function readFeed(
  bytes: Uint8Array,
  { contentType, url }: { contentType: string; url: URL },
  { text }: Settings,
): SourceEntry<FeedEvent>[] | null {
  const elements = readDocument(decodeXml(bytes, contentType))
  if (elements === null) return null
  const entries = elements.flatMap((one) => readEntry(one, { base: url, text }) ?? [])
  const byId = new Map(entries.toReversed().map((entry) => [entry.event.id, entry]))
  const unique = entries.filter((entry) => byId.get(entry.event.id) === entry)
  return newestFirst(unique)
    .slice(0, maxEntries)
    .map(({ event }) => ({ key: event.id, eventName: 'entry.published', event }))
}

/** A feed without the times of its entries has the newest first. */
function newestFirst(entries: readonly Entry[]): readonly Entry[] {
  const timed = entries.flatMap(({ publishedAtMs: at, ...entry }) =>
    at === null ? [] : [{ ...entry, publishedAtMs: at }],
  )
  return timed.length < entries.length
    ? entries
    : timed.toSorted((a, b) => b.publishedAtMs - a.publishedAtMs)
}
