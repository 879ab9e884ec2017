/** At least one input. */
type Inputs<Input> = readonly [Input, ...Input[]]

export interface SharedReadOptions<Input, Output> {
  /** Inputs with the same key read the same. */
  keyOf(input: Input): string
  /** Reads once for all of these inputs, which have one key. */
  read(inputs: Inputs<Input>): Promise<Output>
}

/** The inputs that share the next read of a key. */
interface NextRead<Input, Output> extends PromiseWithResolvers<Output> {
  inputs: [Input, ...Input[]]
}

/**
 * Returns a function that reads something. Inputs that arrive while their key is being read share the next
 * read of it, which begins after they have arrived: each sees all that was committed before. An input whose
 * key is not being read waits for no other.
 */
export function createSharedReads<Input, Output>({
  keyOf,
  read,
}: SharedReadOptions<Input, Output>): (input: Input) => Promise<Output> {
  const running = new Map<string, { next: NextRead<Input, Output> | null }>()

  async function start(key: string, inputs: Inputs<Input>): Promise<Output> {
    const current: { next: NextRead<Input, Output> | null } = { next: null }
    running.set(key, current)
    try {
      return await read(inputs)
    } finally {
      running.delete(key)
      const { next } = current
      if (next) next.resolve(start(key, next.inputs))
    }
  }

  return (input) => {
    const key = keyOf(input)
    const current = running.get(key)
    if (!current) return start(key, [input])
    if (current.next) current.next.inputs.push(input)
    else current.next = { ...Promise.withResolvers<Output>(), inputs: [input] }
    return current.next.promise
  }
}
