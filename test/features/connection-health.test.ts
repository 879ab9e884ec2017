import { afterAll, beforeAll, expect, test } from 'bun:test'
import { revokeKey } from '../../src/features/api-keys/index.ts'
import { connectionHealth } from '../../src/features/connections/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { bulletin, bulletinAdapter } from '../support/fake-provider.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ adapters: [bulletinAdapter().adapter], forward: false })
})
afterAll(() => app.close())

test('the health of a connection is waiting, working, delayed or failing, with the reason', async () => {
  const team = await app.team()
  const board = await bulletin(app, team)
  const { id } = board.connection
  const health = async () => await connectionHealth(app.forwarder, { teamId: team.id, id })
  expect(await health()).toMatchObject({ state: 'waiting', queued: 0, secondsToDrain: 0 })

  await board.post('{}', 'wrong')
  const secret = expect.stringContaining('Check the secret')
  expect(await health()).toMatchObject({ state: 'failing', action: secret, refusedRequests: 1 })

  await board.send({ id: 'd', items: [] })
  expect(await health()).toMatchObject({ state: 'working', queued: 1, secondsToDrain: 60 })

  const reason = 'Bulletin answered 503.'
  await app.sql`
    update deliveries set reason = ${reason}, problem = 'unavailable' where connection_id = ${id}`
  expect(await health()).toMatchObject({ state: 'delayed', reason, action: null })

  const refused = 'Bulletin refused the request (403). Check token.'
  await app.sql`
    update deliveries set reason = ${refused}, problem = 'refused' where connection_id = ${id}`
  expect(await health()).toMatchObject({ state: 'failing', action: refused })

  await revokeKey(app.sql, team.id, board.connection.keyPrefix)
  expect(await health()).toMatchObject({ state: 'failing', reason: expect.stringContaining('key') })

  const other = await app.team()
  const foreign = connectionHealth(app.forwarder, { teamId: other.id, id })
  await expect(foreign).rejects.toMatchObject({ code: 'not_found' })
})
