import * as v from 'valibot'
import type { IngestPayload } from '../../src/contract/blocks/ingest.ts'
import { slug, webAddress } from '../../src/contract/text.ts'
import { blockTypes } from '../../src/contract/vocabulary.ts'
import { headline, paragraph, withoutTitle } from '../kit/item.ts'
import { markdownLine, renderMarkdown } from '../kit/markdown/markdown.ts'
import { oneLine } from '../kit/text/fit-length.ts'
import { withoutLinkTo } from '../kit/text/html.ts'
import { keyPart, providerText } from '../kit/text/plain-text.ts'
import { parsePath, valueAt } from './path.ts'

const blockType = v.picklist(blockTypes)

const isPath = (text: string) => parsePath(text) !== undefined

/** The source of a field: a path when it begins with `$`, and otherwise a constant. */
const source = (constant: v.GenericSchema<string> = v.string()) =>
  v.pipe(
    v.string('must be a path such as $.release.name, or a constant'),
    v.check(
      (text) => (text.startsWith('$') ? isPath(text) : v.is(constant, text)),
      'must be a path such as $.release.name, or a constant that the field takes',
    ),
  )

/** The source of a field that must differ between items: a path. */
const path = () => v.pipe(v.string(), v.check(isPath, 'must be a path such as $.release.id'))

const Fields = v.strictObject({
  title: source(v.pipe(v.string(), v.nonEmpty())),
  body: v.optional(source()),
  block_type: v.optional(source(blockType)),
  event_slug: v.optional(source(slug)),
  external_id: v.optional(path()),
  source_url: v.optional(source(webAddress)),
  author: v.optional(source()),
  publish_after: v.optional(path()),
})

/** The sources of the fields of a block, as an object or as its JSON. */
export const Mapping = v.pipe(
  v.unknown(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    if (typeof dataset.value !== 'string') return dataset.value
    try {
      return JSON.parse(dataset.value) as unknown
    } catch {
      addIssue({ message: 'must be JSON such as {"title": "$.release.name"}' })
      return NEVER
    }
  }),
  Fields,
  v.metadata({ input: 'long' }),
)
export type Mapping = v.InferOutput<typeof Mapping>

/** The stored event: only the mapped fields of a payload. */
export type MappedNews = {
  title: string
  body?: string | undefined
  block_type?: (typeof blockTypes)[number] | undefined
  event_slug?: string | undefined
  external_id: string
  source_url?: string | undefined
  author?: string | undefined
  /** RFC 3339; `unreadable` when the mapped value is not a date. */
  publish_after?: string | undefined
}

/**
 * Picks the mapped fields; `undefined` when there is no title. Optional fields with invalid values
 * are left out.
 * @param id identifies the message when no `external_id` is mapped
 */
export function pickMapped(payload: object, map: Mapping, id: string): MappedNews | undefined {
  const text = (field: keyof Mapping) => textFrom(payload, map[field])
  const title = oneLine(text('title') ?? '')
  if (title === '') return undefined
  const key = text('external_id')
  const until = text('publish_after')
  return {
    title,
    body: text('body'),
    block_type: fitting(blockType, text('block_type')),
    event_slug: fitting(slug, text('event_slug')),
    external_id: `standard-webhooks:${key === undefined ? `message:${keyPart(id)}` : keyPart(key)}`,
    source_url: fitting(webAddress, text('source_url')),
    author: oneLine(text('author') ?? '') || undefined,
    publish_after: until && readTime(until),
  }
}

function textFrom(payload: object, from: string | undefined): string | undefined {
  if (from === undefined) return undefined
  const path = parsePath(from)
  const value = path === undefined ? from : valueAt(payload, path)
  if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined
  const text = v.parse(providerText, String(value))
  return text.trim() === '' ? undefined : text
}

const fitting = <Output>(schema: v.GenericSchema<unknown, Output>, value: unknown) => {
  const { success, output } = v.safeParse(schema, value)
  return success ? output : undefined
}

const unreadable = 'unreadable'

function readTime(text: string): string {
  const time = new Date(/^\d{4}-\d{2}-\d{2}/.test(text) ? text : Number.NaN)
  return Number.isNaN(time.getTime()) ? unreadable : time.toISOString()
}

/** The item for mapped fields. */
export function itemOf({ title, body, publish_after, ...rest }: MappedNews): IngestPayload {
  const { source_url: url } = rest
  const name = headline(markdownLine(title)) || headline(title)
  const words = withoutTitle(renderMarkdown(body ?? '', { base: url }), name)
  return {
    ...rest,
    title: name,
    body: withoutLinkTo(words, url) || paragraph(name),
    // The sender wants a later publication, but the date is unreadable: a person decides.
    ...(publish_after === unreadable ? { auto_ready: false } : { publish_after }),
  }
}
