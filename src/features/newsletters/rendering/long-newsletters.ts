import { Worker } from 'node:worker_threads'
import { createThread } from '../../../lib/concurrency/thread.ts'
import { type RenderedNewsletter, type RenderingTemplate, renderNewsletter } from './render.ts'
import type { RenderableNewsletter } from './renderable.ts'
import { type PreviewWarning, previewWarnings } from './warnings/warnings.ts'

/** A newsletter to render. It can be copied to another thread. */
export interface Rendering {
  template: RenderingTemplate
  content: RenderableNewsletter
  /** Its elements have marks for the composer. */
  marked: boolean
  /** The time for which warnings are looked for; null for none. */
  warningsAt: Date | null
}

export interface RenderedWithWarnings {
  rendered: RenderedNewsletter
  warnings: PreviewWarning[]
}

/** Texts with more characters can take more than a few milliseconds for each block. */
const longTexts = 32_768

/** How many wait for the thread at most; others are rendered at once. */
const maxWaiting = 32

// Every body is sanitized several times: 20 tables of 60 KB take seconds.
const renderInThread = createThread<Rendering, RenderedWithWarnings | null>(
  () => new Worker(new URL('./long-newsletters-thread.ts', import.meta.url)),
  maxWaiting,
)

/** A newsletter as an email with its warnings; a long one is rendered in a thread of its own, so that it delays no other request. */
export async function renderWithoutDelay(rendering: Rendering): Promise<RenderedWithWarnings> {
  const characters = rendering.content.blocks.reduce((total, { body }) => total + body.length, 0)
  const inThread = characters > longTexts ? await renderInThread(rendering) : null
  return inThread ?? renderWithWarnings(rendering)
}

/** The same at once. */
export function renderWithWarnings({
  template,
  content,
  marked,
  warningsAt,
}: Rendering): RenderedWithWarnings {
  const rendered = renderNewsletter(template, content, { marked })
  const warnings = warningsAt ? previewWarnings(content, rendered, () => warningsAt) : []
  return { rendered, warnings }
}
