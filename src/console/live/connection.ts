/** One open page of a member that receives messages. */
export interface LiveConnection {
  teamId: string
  memberId: string
  sessionId: string
  /** The newsletter that the page shows; null for another page. */
  newsletterId: string | null
  send(event: string, data: unknown): void
  /** Shows proxies and the browser that the connection is open. */
  ping(): void
  close(): void
}

const encoder = new TextEncoder()

/**
 * A response of server-sent events (HTML Living Standard, 9.2). `open` receives the functions that write
 * to it, and returns what is called when the page is closed.
 */
export function liveResponse(
  open: (write: Pick<LiveConnection, 'send' | 'ping' | 'close'>) => () => void,
): Response {
  let leave = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let isOpen = true
      const end = () => {
        if (!isOpen) return
        isOpen = false
        closed()
      }
      /** A stream that the browser has closed throws; one page must not keep messages from the others. */
      const attempt = (work: () => void) => {
        if (!isOpen) return
        try {
          work()
        } catch {
          end()
        }
      }
      const write = (text: string) => attempt(() => controller.enqueue(encoder.encode(text)))
      const closed = open({
        send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
        ping: () => write(': open\n\n'),
        close() {
          attempt(() => controller.close())
          end()
        },
      })
      leave = end
      write('retry: 5000\n\n')
    },
    cancel: () => leave(),
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      // Otherwise nginx collects the response before it sends it.
      'x-accel-buffering': 'no',
    },
  })
}
