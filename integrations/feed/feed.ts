import * as v from 'valibot'
import { decodeDocument } from '../kit/polling/decode-text.ts'
import { fetchDocument } from '../kit/polling/fetch-document.ts'
import type { PollContext, PollResult, SourceEntry } from '../kit/polling/polling.ts'
import { ProviderError } from '../kit/provider-error.ts'
import type { Json } from '../kit/requests/received.ts'
import { shortHash } from '../kit/text/plain-text.ts'
import { type EntryElements, readDocument } from './document.ts'
import { type FeedEvent, publishedAtOf, readEntry } from './entry.ts'
import type { Settings } from './settings.ts'

const accept =
  'application/atom+xml, application/rss+xml, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1'
/** Older entries are not news any more. */
const maxEntries = 100

/** Reads the entries of a feed, the newest first. */
export async function pollFeed({
  settings,
  provider,
  state,
  read,
}: PollContext<Settings, FeedEvent>): Promise<PollResult<FeedEvent>> {
  const request = { provider, setting: 'url', address: settings.url, accept }
  const fetched = await fetchDocument({ ...request, state })
  if (fetched === 'unchanged') return { kind: 'unchanged' }
  if (fetched === 'ended') return { kind: 'ended', reason: 'The source has ended (410).' }
  const entries = await read(fetched.document)
  if (entries === null) {
    const message =
      'This address has neither an RSS nor an Atom feed. Enter the address of the feed as url, not that of the page.'
    throw new ProviderError('refused', message)
  }
  const known = readKnown(state)
  const kept = entries.map((entry) => {
    const fingerprint = fingerprintOf(entry.event)
    return { fingerprint, entry: withId(entry, known[fingerprint], entries) }
  })
  const ids = Object.fromEntries(kept.map(({ fingerprint, entry }) => [fingerprint, entry.key]))
  return {
    kind: 'entries',
    entries: kept.map(({ entry }) => entry),
    state: { ...fetched.state, known: ids },
  }
}

/** The ids of the entries of the last document, by what readers see of them. */
const Known = v.object({ known: v.record(v.string(), v.string()) })
type Known = v.InferOutput<typeof Known>['known']

const readKnown = (state: Json): Known => (v.is(Known, state) ? state.known : {})

const fingerprintOf = ({ id: _, ...shown }: FeedEvent) => shortHash(JSON.stringify(shown))

/** An entry with the id that it had in the last document: some servers make up new ids for each request. */
function withId(
  entry: SourceEntry<FeedEvent>,
  id: string | undefined,
  entries: readonly SourceEntry<FeedEvent>[],
): SourceEntry<FeedEvent> {
  const isChanged = id !== undefined && !entries.some(({ key }) => key === id)
  return isChanged ? { ...entry, key: id, event: { ...entry.event, id } } : entry
}

/** The entries of a document, the newest first, each once; null when it is not a feed. */
export function readFeed(
  bytes: Uint8Array,
  { contentType, url, idPrefix = '' }: { contentType: string; url: URL; idPrefix?: string },
  { text }: Settings,
): SourceEntry<FeedEvent>[] | null {
  const found = readDocument(decodeDocument(bytes, contentType))
  if (found === null) return null
  const events = new Map<string, FeedEvent>()
  for (const { elements, base } of newestFirst(found)) {
    const event = readEntry(elements, { base: URL.parse(base, url.href) ?? url, text, idPrefix })
    if (event && !events.has(event.id)) events.set(event.id, event)
    if (events.size >= maxEntries) break
  }
  return [...events.values()].map((event) => ({
    key: event.id,
    eventName: 'entry.published',
    event,
  }))
}

/** The entries by their time. Those without one come last; a feed without times has the newest first. */
const newestFirst = (entries: readonly EntryElements[]): EntryElements[] =>
  entries
    .map((entry) => ({ entry, at: publishedAtOf(entry.elements) ?? Number.NEGATIVE_INFINITY }))
    .toSorted((a, b) => (a.at === b.at ? 0 : b.at - a.at))
    .map(({ entry }) => entry)
