import { AppError } from '../../lib/errors.ts'
import type { MemberRequest } from './context.ts'

/** A message to a page while the server works. */
export type StreamEvent =
  /** The text so far. */
  | { type: 'text'; title: string; body: string }
  /** The result is at this path; `left` says how many more there can be. */
  | { type: 'done'; path: string; message: string; left: string }
  /** The result is this HTML, which the server has rendered. */
  | { type: 'html'; html: string }
  | { type: 'failed'; message: string }

const mediaType = 'application/x-ndjson'

/** True when a script reads the response while it arrives. */
export const wantsEvents = ({ request }: MemberRequest): boolean =>
  request.headers.get('accept') === mediaType

/**
 * A response of events, one JSON object per line, that `work` sends. The signal fires when the client
 * closes the connection. An error of `work` is the last event.
 */
export function eventStream(
  { deps, request, t }: MemberRequest,
  work: (stream: { send(event: StreamEvent): void; signal: AbortSignal }) => Promise<void>,
): Response {
  const closed = new AbortController()
  const signal = AbortSignal.any([request.signal, closed.signal])
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (event: StreamEvent) => {
        if (!signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`))
      }
      work({ send, signal })
        .catch((error: unknown) =>
          send({ type: 'failed', message: t.fromEnglish(messageOf(deps.log, error)) }),
        )
        .finally(() => {
          if (!signal.aborted) controller.close()
        })
    },
    cancel: () => closed.abort(),
  })
  const headers = {
    'content-type': mediaType,
    // Otherwise nginx collects the response before it sends it.
    'x-accel-buffering': 'no',
  }
  return new Response(body, { headers })
}

/** What people read of an error; its cause is logged. */
function messageOf(log: MemberRequest['deps']['log'], error: unknown): string {
  const known = error instanceof AppError ? error : undefined
  const cause = known ? known.details.cause : error
  if (cause !== undefined) log.error({ err: cause }, 'the text was not written')
  return known?.message ?? 'That did not work. Try again.'
}
