import type { PostingFailure } from './chat.ts'

/** A stand-in that fails all requests in one way. */
interface Server {
  failure: { kind: string | null }
  onMessage(listener: () => void): void
}

/** Lets a stand-in take a message and lose its response, and the responses to all later requests. */
export const losingResponses = (server: Server) => ({
  failPosting(failure: PostingFailure) {
    if (failure !== 'lost') throw new Error(`this chat has no failure ${failure}`)
    server.onMessage(() => {
      server.failure.kind = failure
    })
  },
  recoverLater() {
    server.onMessage(() => {})
    server.failure.kind = null
  },
})
