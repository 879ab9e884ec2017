import { Worker } from 'node:worker_threads'
import type {
  DocumentContext,
  SourceDocument,
  SourceEntry,
} from '../../../integrations/kit/polling/polling.ts'
import { createThread } from '../../lib/concurrency/thread.ts'
import type { ReadDocument } from './poll-sources.ts'

/** A document with the adapter that reads it. */
export interface DocumentToRead {
  slug: string
  document: SourceDocument
  context: DocumentContext<object>
}

/** What the thread returns for a document. */
export type ReadOutcome = { entries: SourceEntry<unknown>[] | null } | { error: string }

/** How many documents can wait; beyond that, reading fails. There are more than polls at the same time. */
const maxWaiting = 64

/**
 * Reads documents of feeds and calendars in a thread of their own, because a hostile one can take seconds. In the
 * thread of long bodies, it would delay these.
 */
export function createDocumentReader(): ReadDocument {
  const read = createThread<DocumentToRead, ReadOutcome>(
    () => new Worker(new URL('./read-document-thread.ts', import.meta.url)),
    maxWaiting,
  )
  return async (slug, document, context) => {
    const outcome = await read({ slug, document, context })
    if (!outcome) throw new Error('The thread that reads documents has ended.')
    if ('error' in outcome) throw new Error(outcome.error)
    return outcome.entries
  }
}
