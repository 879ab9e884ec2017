import type { Worker } from 'node:worker_threads'

/** A call as the thread receives it. It responds with the `id` and its `output`. */
export interface ThreadCall<Input> {
  id: number
  input: Input
}

export interface ThreadResult<Output> {
  id: number
  output: Output
}

/**
 * Returns a function that is executed in another thread, one call after the other. The thread is started
 * by the first call and kept. The result is undefined when `maxWaiting` calls wait already, and when the
 * thread has ended; the next call starts it again.
 */
export function createThread<Input, Output>(
  start: () => Worker,
  maxWaiting: number,
): (input: Input) => Promise<Output | undefined> {
  const waiting = new Map<number, (output: Output | undefined) => void>()
  let thread: Worker | null = null
  let lastId = 0

  function open(): Worker {
    const started = start()
    started.on('message', ({ id, output }: ThreadResult<Output>) => settle(id, output))
    started.on('error', () => void started.terminate())
    started.on('exit', () => {
      if (thread === started) thread = null
      for (const id of waiting.keys()) settle(id, undefined)
    })
    // It does not keep the process from ending.
    started.unref()
    return started
  }

  function settle(id: number, output: Output | undefined): void {
    waiting.get(id)?.(output)
    waiting.delete(id)
  }

  return (input) => {
    if (waiting.size >= maxWaiting) return Promise.resolve(undefined)
    thread ??= open()
    const id = ++lastId
    const { promise, resolve } = Promise.withResolvers<Output | undefined>()
    waiting.set(id, resolve)
    thread.postMessage({ id, input } satisfies ThreadCall<Input>)
    return promise
  }
}
