/** The thread of `long-newsletters.ts`. */
import { parentPort } from 'node:worker_threads'
import type { ThreadCall, ThreadResult } from '../../../lib/concurrency/thread.ts'
import {
  type RenderedWithWarnings,
  type Rendering,
  renderWithWarnings,
} from './long-newsletters.ts'

parentPort?.on('message', ({ id, input }: ThreadCall<Rendering>) => {
  const result: ThreadResult<RenderedWithWarnings | null> = { id, output: render(input) }
  parentPort?.postMessage(result)
})

/** Null for an error: it is thrown again where the newsletter was asked for. */
function render(rendering: Rendering): RenderedWithWarnings | null {
  try {
    return renderWithWarnings(rendering)
  } catch {
    return null
  }
}
