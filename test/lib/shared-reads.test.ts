import { expect, test } from 'bun:test'
import { createSharedReads } from '../../src/lib/concurrency/shared-reads.ts'

/** Reads that wait until they are released, each with what the read returns. */
function openReads() {
  const reads: { inputs: readonly string[]; release(value: string | Error): void }[] = []
  const read = createSharedReads({
    keyOf: (input: string) => input.charAt(0),
    async read(inputs) {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      const release = (value: string | Error) =>
        value instanceof Error ? reject(value) : resolve(value)
      reads.push({ inputs, release })
      return await promise
    },
  })
  return { read, reads, inputs: () => reads.map((one) => one.inputs) }
}

test('what is asked for while it is being read is read once more, for all who wait', async () => {
  const { read, reads, inputs } = openReads()
  const first = read('a1')
  const later = [read('a2'), read('a3')]
  expect(inputs()).toEqual([['a1']])
  reads[0]?.release('old')
  expect(await first).toBe('old')
  expect(inputs()).toEqual([['a1'], ['a2', 'a3']])
  reads[1]?.release('new')
  expect(await Promise.all(later)).toEqual(['new', 'new'])
})

test('reads of different things do not wait for each other', () => {
  const { read, inputs } = openReads()
  void read('a1')
  void read('b1')
  expect(inputs()).toEqual([['a1'], ['b1']])
})

test('an error is that of the requests that shared the read, and the next read begins all the same', async () => {
  const { read, reads } = openReads()
  const first = read('a1')
  const second = read('a2')
  reads[0]?.release(new Error('The database is away.'))
  expect(first).rejects.toThrow('The database is away.')
  await first.catch(() => undefined)
  reads[1]?.release('found')
  expect(await second).toBe('found')
  const third = read('a3')
  reads[2]?.release('found again')
  expect(await third).toBe('found again')
})
