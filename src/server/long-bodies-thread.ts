/** The thread of `long-bodies.ts`. It imports no more than it needs, because it has modules of its own. */
import { parentPort } from 'node:worker_threads'
import { renderMarkdown } from '../../integrations/kit/markdown/markdown.ts'
import { convertBody, type ReceivedBody } from '../features/content-blocks/body.ts'
import type { ThreadCall, ThreadResult } from '../lib/concurrency/thread.ts'
import { AppError } from '../lib/errors.ts'
import type { Conversion } from './long-bodies.ts'

parentPort?.on('message', ({ id, input }: ThreadCall<ReceivedBody>) => {
  const result: ThreadResult<Conversion> = { id, output: convert(input) }
  parentPort?.postMessage(result)
})

function convert(body: ReceivedBody): Conversion {
  try {
    return { value: convertBody(body, renderMarkdown) }
  } catch (error) {
    if (!(error instanceof AppError)) return null
    const { code, message, details } = error
    return { error: { code, message, details } }
  }
}
