import { expect, test } from 'bun:test'
import { createIngest } from '../../src/features/ingest/index.ts'
import { connect } from '../../src/lib/database/db.ts'

test('other requests have a turn of the event loop between the conversions of long texts', async () => {
  const order: string[] = []
  const ingest = createIngest({
    // A preview without an external id reads nothing from the database.
    sql: connect('postgres://127.0.0.1:1/none', { name: 'tidings test' }),
    now: () => new Date(),
    renderMarkdown(markdown) {
      order.push('conversion')
      return `<p>${markdown}</p>`
    },
  })
  const caller = {
    keyId: 'key',
    teamId: 'team',
    keyName: 'ci',
    allowAutoReady: false,
    provider: null,
  }
  const item = { title: 'Long', body: 'word '.repeat(10_000), body_format: 'markdown' as const }
  const countTurn = () => {
    order.push('turn')
    if (order.filter((step) => step === 'conversion').length < 3) setImmediate(countTurn)
  }
  setImmediate(countTurn)
  await Promise.all([1, 2, 3].map(() => ingest.preview(caller, { item, idempotencyKey: null })))
  const [first, second, third] = order.flatMap((step, at) => (step === 'conversion' ? [at] : []))
  expect(order.slice(first, second)).toContain('turn')
  expect(order.slice(second, third)).toContain('turn')
})
