import { expect, test } from 'bun:test'
import { surviveKill } from '../../support/processes/crash.ts'

test('30 deliveries create 30 blocks, each once, although SIGKILL ends the service halfway', async () => {
  const { responses, blocksPerItem, statuses } = await surviveKill({
    count: 30,
    killAt: 12,
  })
  expect(statuses).toEqual({ delivered: 30 })
  expect(blocksPerItem.size).toBe(30)
  expect([...blocksPerItem.values()].every((count) => count === 1)).toBe(true)
  expect(responses.every(({ status }) => status === 201 || status === 200 || status === 429)).toBe(
    true,
  )
  // Some were accepted before the kill and sent again after it.
  expect(responses.length).toBeGreaterThan(30)
})
