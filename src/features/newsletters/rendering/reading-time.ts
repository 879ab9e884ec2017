import type { RenderableNewsletter } from './renderable.ts'
import { textBody } from './text-body.ts'

const wordsPerMinute = 220

/** The reading time of a newsletter in whole minutes, at least 1. */
export function readingMinutes({
  title,
  intro,
  closing,
  blocks,
  elements,
}: RenderableNewsletter): number {
  const html = [intro, closing, ...(elements ?? []).map((one) => 'body' in one && one.body)]
  const texts = [
    title,
    ...html.map((body) => (body ? textBody({ title: '', body, body_format: 'html' }) : '')),
    ...blocks.flatMap((block) => [block.title, textBody(block)]),
  ]
  const words = texts.reduce((count, text) => count + wordsIn(text), 0)
  return Math.max(1, Math.round(words / wordsPerMinute))
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Counts words, also in languages without spaces between words. */
function wordsIn(text: string): number {
  let count = 0
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count++
  return count
}
