/** The outcome of one item of a batch. */
export type Outcome<Output> = { value: Output } | { error: unknown }

/** Waits for the work on one item and returns its outcome; never rejects. */
export async function outcomeOf<Output>(work: Promise<Output>): Promise<Outcome<Output>> {
  try {
    return { value: await work }
  } catch (error) {
    return { error }
  }
}

/** Processes the values of all successful outcomes together; errors stay as they are. */
export async function processTogether<Input, Output>(
  outcomes: readonly Outcome<Input>[],
  run: (values: readonly Input[]) => Promise<readonly Outcome<Output>[]>,
): Promise<Outcome<Output>[]> {
  const values = outcomes.flatMap((outcome) => ('value' in outcome ? [outcome.value] : []))
  const results = (values.length > 0 ? await run(values) : []).values()
  return outcomes.map((outcome) =>
    'error' in outcome ? outcome : (results.next().value ?? noOutcome()),
  )
}

const noOutcome = () => ({ error: new Error('An item of a batch has no outcome.') })

export interface BatchOptions<Input, Output> {
  /** Processes the items together. Returns one outcome for each item, in the order of the items. */
  run(items: readonly Input[]): Promise<readonly Outcome<Output>[]>
  /** The maximum number of items in one batch. */
  maxItems: number
  /** The maximum number of batches that run at the same time. */
  maxConcurrent: number
  /** When a batch may start while another runs; at once unless given. */
  furtherBatch?: { items: number; orAfterMs: number }
}

interface Waiting<Input, Output> {
  input: Input
  resolve(value: Output): void
  reject(error: unknown): void
}

/**
 * Returns a function that processes one item. Items that arrive while batches are running share the
 * next batch. When no batch is running, an item waits for no others, so that a single item takes as
 * long as without batches. When `run` rejects, all items of the batch reject with its error.
 */
export function createBatcher<Input, Output>({
  run,
  maxItems,
  maxConcurrent,
  furtherBatch = { items: 1, orAfterMs: 0 },
}: BatchOptions<Input, Output>): (input: Input) => Promise<Output> {
  const waiting: Waiting<Input, Output>[] = []
  let running = 0
  let isLateStartPlanned = false

  async function runNext(): Promise<void> {
    running++
    await runBatch(run, waiting.splice(0, maxItems))
    running--
    startNext()
  }

  function startNext(): void {
    if (waiting.length === 0 || running === maxConcurrent) return
    if (running === 0 || waiting.length >= furtherBatch.items) void runNext()
    else if (!isLateStartPlanned) {
      isLateStartPlanned = true
      // Without this, a batch that waits for a lock would stop all others.
      setTimeout(startLate, furtherBatch.orAfterMs)
    }
  }

  function startLate(): void {
    isLateStartPlanned = false
    if (waiting.length > 0 && running < maxConcurrent) void runNext()
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      startNext()
    })
}

async function runBatch<Input, Output>(
  run: BatchOptions<Input, Output>['run'],
  batch: readonly Waiting<Input, Output>[],
): Promise<void> {
  try {
    const outcomes = await run(batch.map(({ input }) => input))
    for (const [at, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes[at] ?? noOutcome()
      if ('value' in outcome) resolve(outcome.value)
      else reject(outcome.error)
    }
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}
