import { connect, createServer, type Socket } from 'node:net'
import { startMailServer } from '../../test/support/providers/smtp.ts'

/**
 * What a mail server does: it works, closes connections at once, accepts them and says nothing, closes them in
 * the middle of an email, or asks to try again later.
 */
type Behavior = 'works' | 'is away' | 'hangs' | 'drops' | 'asks to try later'

/** A mail server whose behavior can change, and how often it has received each email. */
export async function startFaultyMailServer() {
  let behavior: Behavior = 'works'
  const server = await startMailServer({
    refuse: () =>
      behavior === 'asks to try later' ? { responseCode: 451, message: 'try again later' } : null,
  })
  const sockets = new Set<Socket>()
  const front = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    if (behavior === 'is away') socket.destroy()
    if (behavior === 'is away' || behavior === 'hangs') return
    const upstream = connect(server.port, '127.0.0.1')
    upstream.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.on('close', () => upstream.destroy())
    upstream.pipe(socket)
    socket.on('data', (part) => {
      // The lines of an email's content are longer than a command.
      if (behavior === 'drops' && part.length > 300) socket.destroy()
      else upstream.write(part)
    })
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  const address = front.address()
  return {
    url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    behave(as: Behavior) {
      behavior = as
      for (const socket of sockets) socket.destroy()
    },
    /** The number of copies of each email, by its Message-ID. */
    copies() {
      const copies = new Map<string, number>()
      for (const { messageId = '' } of server.mails)
        copies.set(messageId, (copies.get(messageId) ?? 0) + 1)
      return copies
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => front.close(resolve))
      await server.close()
    },
  }
}
