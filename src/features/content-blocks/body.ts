import type { BodyFormat, ingestFormats } from '../../contract/vocabulary.ts'
import { yieldToEventLoop } from '../../lib/concurrency/yield-to-event-loop.ts'
import { invalidField } from '../../lib/errors.ts'
import { looksLikeHtml } from '../../lib/html/looks-like-html.ts'
import { cutOff, type Removal, removedImage } from '../../lib/html/removals.ts'
import { hasContent, sanitizeHtml } from '../../lib/html/sanitize-html.ts'

/**
 * A body as it is stored: HTML is sanitized, plain text is not. `onRemoval` is called with what
 * sanitizing removes. Throws `validation_failed` when nothing is left.
 */
export function prepareBody(
  body: string,
  format: BodyFormat = looksLikeHtml(body) ? 'html' : 'text',
  onRemoval?: (removal: Removal) => void,
): { body: string; body_format: BodyFormat } {
  if (format === 'text') return { body, body_format: format }
  const cleaned = sanitizeHtml(body, onRemoval)
  if (!hasContent(cleaned)) {
    throw invalidField('/body', 'body has no content left once unsafe HTML is removed', 'empty')
  }
  return { body: cleaned, body_format: format }
}

/** A body from outside; without a format, it is HTML or plain text. */
export interface ReceivedBody {
  body: string
  format: (typeof ingestFormats)[number] | null
}

/** The body of a block that a person or a program writes; without a format, it is HTML or plain text. */
export interface WrittenBody {
  body: string
  format: BodyFormat | null
}

/** A body as it is stored, and what sanitizing has removed from HTML. */
export interface StoredBody {
  body: string
  body_format: BodyFormat
  removals: Removal[]
}

/**
 * Returns Markdown as HTML; an empty text when readers would see nothing. `onImage` is called with the
 * alternative text of each image, which is removed, and `onCut` with the Markdown whose HTML would be
 * too long.
 */
export type RenderMarkdown = (
  markdown: string,
  options?: { onImage?: (alt: string) => void; onCut?: (rest: string) => void },
) => string

/** A body as it is stored. Throws `validation_failed` when nothing is left of it. */
export function convertBody({ body, format }: ReceivedBody, render: RenderMarkdown): StoredBody {
  if (format !== 'markdown') return convertWritten({ body, format })
  const removals: Removal[] = []
  return { ...prepareBody(markdownToHtml(body, render, removals), 'html'), removals }
}

/** HTML or plain text as it is stored. Throws `validation_failed` when nothing is left of it. */
export function convertWritten({ body, format }: WrittenBody): StoredBody {
  const removals: Removal[] = []
  const prepared = prepareBody(body, format ?? undefined, (removal) => removals.push(removal))
  return { ...prepared, removals }
}

/** The HTML of a body in Markdown. Throws `validation_failed` when readers would see nothing. */
function markdownToHtml(markdown: string, render: RenderMarkdown, removals: Removal[]): string {
  const html = render(markdown, {
    onImage: (alt) => removals.push(removedImage(alt)),
    onCut: (rest) => removals.push(cutOff(rest)),
  })
  if (html !== '') return html
  const message =
    removals.length === 0
      ? 'body has no content'
      : 'body has nothing but images, which Markdown cannot contain here; send one as image or image_url'
  throw invalidField('/body', message, 'empty')
}

/** How bodies are converted to what is stored. */
export interface BodyConversion {
  renderMarkdown: RenderMarkdown
  /**
   * Converts a long body in a thread of its own; undefined when it cannot at the moment. Without this,
   * long bodies are converted in turns of the event loop. Throws `validation_failed`.
   */
  convertLong?(body: ReceivedBody): Promise<StoredBody | undefined>
}

/** A body with more characters takes more than a few milliseconds. */
const longBody = 16_384

/** True for bodies that delay other requests when they are converted at once. */
export const areLong = (bodies: readonly { body: string }[]): boolean =>
  bodies.reduce((total, { body }) => total + body.length, 0) > longBody

/**
 * Converts a short body at once, and a long one, or one of many that are long together, without delaying other requests.
 * Throws `validation_failed`.
 */
export async function toStoredBody(
  received: ReceivedBody,
  { renderMarkdown, convertLong }: BodyConversion,
  isLong = areLong([received]),
): Promise<StoredBody> {
  if (!isLong) return convertBody(received, renderMarkdown)
  return (await convertLong?.(received)) ?? (await convertInTurns(received, renderMarkdown))
}

/** Converts the body of a block to what is stored. Throws `validation_failed`. */
export type ConvertBody = (body: WrittenBody) => StoredBody | Promise<StoredBody>

/** Converts the body of one block as `toStoredBody` does, and collects what is removed from it. */
export function collectRemovals(conversion: BodyConversion): {
  convert: ConvertBody
  removals: Removal[]
} {
  const removals: Removal[] = []
  const convert = async (body: WrittenBody) => {
    const stored = await toStoredBody(body, conversion)
    // A transaction that ended in a deadlock is repeated.
    removals.splice(0, removals.length, ...stored.removals)
    return stored
  }
  return { convert, removals }
}

/** Other requests have a turn of the event loop before each step. */
async function convertInTurns(received: ReceivedBody, render: RenderMarkdown): Promise<StoredBody> {
  await yieldToEventLoop()
  if (received.format !== 'markdown') return convertBody(received, render)
  const removals: Removal[] = []
  const html = markdownToHtml(received.body, render, removals)
  await yieldToEventLoop()
  return { ...convertBody({ body: html, format: 'html' }, render), removals }
}
