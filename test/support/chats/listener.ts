type Listener = () => void | Promise<void>

/**
 * What a test does when the stand-in of a chat has received a message. The reply to that request is sent
 * after `end`; other requests do not wait.
 */
export function createListener() {
  let listener: Listener = () => {}
  let running: void | Promise<void>
  return {
    /** Replaces what the test does. */
    set(next: Listener) {
      listener = next
    },
    /** Starts it. */
    start() {
      running = listener()
    },
    /** Waits until it has ended. */
    async end() {
      const own = running
      running = undefined
      await own
    },
    reset() {
      listener = () => {}
    },
  }
}
