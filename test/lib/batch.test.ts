import { expect, test } from 'bun:test'
import { type BatchOptions, createBatcher, type Outcome } from '../../src/lib/concurrency/batch.ts'
import { until } from '../support/until.ts'

type Run = BatchOptions<number, number>['run']
const double: Run = async (items) => items.map((value) => ({ value: value * 2 }))

/** A batcher whose batches wait until `release` is called. */
function openBatcher({
  run = double,
  maxItems = 100,
  maxConcurrent = 1,
  furtherBatch = { items: 1, orAfterMs: 0 },
} = {}) {
  const batches: (readonly number[])[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const submit = createBatcher<number, number>({
    maxItems,
    maxConcurrent,
    furtherBatch,
    async run(items): Promise<readonly Outcome<number>[]> {
      batches.push(items)
      await released
      return await run(items)
    },
  })
  return { submit, batches, release }
}

test('a lone item of a batcher is processed at once', () => {
  const { submit, batches } = openBatcher()
  void submit(1)
  expect(batches).toEqual([[1]])
})

test('items that wait while a batch runs share the next one, up to its size', async () => {
  const { submit, batches, release } = openBatcher({ maxItems: 3 })
  const results = Promise.all([1, 2, 3, 4, 5].map(submit))
  release()
  expect(await results).toEqual([2, 4, 6, 8, 10])
  expect(batches).toEqual([[1], [2, 3, 4], [5]])
})

test('a batcher runs no more batches at a time than it may', () => {
  const { submit, batches } = openBatcher({ maxItems: 1, maxConcurrent: 2 })
  for (const item of [1, 2, 3]) void submit(item)
  expect(batches.length).toBe(2)
})

test('a further batch starts beside a running one when enough items wait', () => {
  const furtherBatch = { items: 3, orAfterMs: 60_000 }
  const { submit, batches } = openBatcher({ maxConcurrent: 2, furtherBatch })
  for (const item of [1, 2, 3]) void submit(item)
  expect(batches).toEqual([[1]])
  void submit(4)
  expect(batches).toEqual([[1], [2, 3, 4]])
})

test('fewer items start a further batch when the running one takes long', async () => {
  const furtherBatch = { items: 3, orAfterMs: 1 }
  const { submit, batches } = openBatcher({ maxConcurrent: 2, furtherBatch })
  for (const item of [1, 2]) void submit(item)
  await until(async () => batches.length === 2)
  expect(batches).toEqual([[1], [2]])
})

test('the error of one item of a batch reaches that item only', async () => {
  const run: Run = async (items) =>
    items.map((value) => (value === 2 ? { error: new Error('no twos') } : { value }))
  const { submit, release } = openBatcher({ run })
  const results = Promise.allSettled([1, 2, 3].map(submit))
  release()
  const statuses = (await results).map(({ status }) => status)
  expect(statuses).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('a batch that fails rejects its items, and the next batch runs', async () => {
  const run: Run = async (items) => {
    if (items.includes(1)) throw new Error('the batch failed')
    return await double(items)
  }
  const { submit, release } = openBatcher({ run })
  const results = Promise.allSettled([1, 2].map(submit))
  release()
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})

test('an item without an outcome is rejected instead of waiting forever', async () => {
  const { submit, release } = openBatcher({ run: async () => [] })
  const result = Promise.allSettled([submit(1)])
  release()
  expect((await result)[0]?.status).toBe('rejected')
})
