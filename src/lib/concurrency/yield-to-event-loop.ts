let last: Promise<unknown> = Promise.resolve()

/**
 * Resolves in a later turn of the event loop, after other requests had theirs. Each call gets a turn of
 * its own, so that conversions of several long texts do not follow each other without a pause.
 */
export function yieldToEventLoop(): Promise<unknown> {
  last = last.then(() => new Promise(setImmediate))
  return last
}
