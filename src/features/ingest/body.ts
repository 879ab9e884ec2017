import type { IngestItem } from '../../contract/ingest.ts'
import { yieldToEventLoop } from '../../lib/concurrency/yield-to-event-loop.ts'
import {
  convertBody,
  markdownToHtml,
  type ReceivedBody,
  type RenderMarkdown,
  type StoredBody,
} from '../content-blocks/index.ts'

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

/** A body as it is stored. Throws `validation_failed` when readers would see nothing. */
export async function storedBody(
  { body, body_format: format = null }: Pick<IngestItem, 'body' | 'body_format'>,
  { renderMarkdown, convertLong }: BodyConversion,
): Promise<StoredBody> {
  const received = { body, format }
  if (body.length <= longBody) return convertBody(received, renderMarkdown)
  return (await convertLong?.(received)) ?? (await convertInTurns(received, renderMarkdown))
}

/** Other requests have a turn of the event loop before each step. */
async function convertInTurns(received: ReceivedBody, render: RenderMarkdown): Promise<StoredBody> {
  await yieldToEventLoop()
  if (received.format !== 'markdown') return convertBody(received, render)
  const html = markdownToHtml(received.body, render)
  await yieldToEventLoop()
  return { ...convertBody({ body: html, format: 'html' }, render), removals: [] }
}
