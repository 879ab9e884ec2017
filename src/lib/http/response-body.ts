/** Bun 1.4.5 sends up to 16 KB of head and body at once. */
const sentAtOnce = 12_000

/**
 * The body of a response. Bun 1.4.5 sends each part of each header of a larger response with a system call of its
 * own when the response is ready later than its request, unless the body is a stream (a fifth of the CPU time). A stream has
 * no `Content-Length`.
 */
export function toBody(text: string): string | ReadableStream {
  // No character has more than three bytes for each unit of its text.
  const isSmall = text.length * 3 < sentAtOnce || Buffer.byteLength(text) < sentAtOnce
  return isSmall ? text : streamOf(text)
}

const streamOf = (text: string) =>
  new ReadableStream({
    type: 'direct',
    pull(controller) {
      controller.write(text)
      controller.close()
    },
  })
