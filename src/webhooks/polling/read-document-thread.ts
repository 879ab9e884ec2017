/** The thread of `read-document.ts`. It loads only the adapters whose documents it reads. */
import { parentPort } from 'node:worker_threads'
import { loadAdapter } from '../../../integrations/index.ts'
import type { ThreadCall, ThreadResult } from '../../lib/concurrency/thread.ts'
import type { DocumentToRead, ReadOutcome } from './read-document.ts'

parentPort?.on('message', async ({ id, input }: ThreadCall<DocumentToRead>) => {
  const result: ThreadResult<ReadOutcome> = { id, output: await read(input) }
  parentPort?.postMessage(result)
})

async function read({ slug, document, context }: DocumentToRead): Promise<ReadOutcome> {
  try {
    const { polling } = await loadAdapter(slug)
    return { entries: polling?.read(document, context) ?? null }
  } catch (error) {
    return { error: String(error) }
  }
}
