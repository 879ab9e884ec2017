import { afterAll, beforeAll, expect, test } from 'bun:test'
import { reviewBlocks } from '../../src/features/content-blocks/index.ts'
import { lockComposition } from '../../src/features/newsletters/composition/blocks-sql.ts'
import type { Team } from '../../src/features/teams/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemContext } from '../../src/lib/context.ts'
import { connect, type Sql, transaction } from '../../src/lib/database/db.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { signedIn } from '../support/console.ts'
import { withoutTimeLimits } from '../support/database/database.ts'
import { countLockWaits } from '../support/database/lock-waits.ts'
import { blockOf, type Call, newsletterOf, unlimitedClient } from '../support/newsletters.ts'
import { until } from '../support/until.ts'

// Every change of a block also changes the newsletters that contain it. Whoever locked a block before
// these newsletters would wait for somebody who has locked them in the other order.

let app: TestApp
/** A connection of its own, which nothing waits for. */
let observer: Sql
let team: Team
let teamId: string
let call: Call
let blocks: string[]
/** The path of a newsletter with the blocks; another newsletter, which is newer, has them too. */
let older: string
let newer: string

beforeAll(async () => {
  app = await startApp()
  observer = connect(app.database.address, { name: 'observer', max: 1, ...withoutTimeLimits })
  team = await app.team()
  teamId = team.id
  call = await unlimitedClient(app, team)
  blocks = [await blockOf(call), await blockOf(call)]
  older = await newsletterOf(call, blocks)
  newer = await newsletterOf(call, blocks.toReversed())
  for (const path of [older, newer]) await call('PATCH', path, { status: 'ready' })
})
afterAll(async () => {
  await observer.end({ timeout: 1 })
  await app.close()
})

test('a change of a block locks the newsletters that contain it first', async () => {
  const [block = ''] = blocks
  const reply = await whileNewsletterIsLocked(() =>
    call('PATCH', `/content_blocks/${block}`, { title: 'Changed meanwhile' }),
  )
  expect(reply.status).toBe(200)
})

test('a review of several blocks locks the newsletters that contain them first', async () => {
  const ctx = systemContext({ sql: app.sql, now: systemClock }, teamId)
  const seen = blocks.map((id) => ({ id, version: null }))
  const { count } = await whileNewsletterIsLocked(() =>
    reviewBlocks(ctx, { seen, status: 'ready' }),
  )
  expect(count).toBe(blocks.length)
})

test('sending a newsletter locks the other newsletters with its blocks first', async () => {
  const reply = await whileNewsletterIsLocked(() => call('PATCH', newer, { status: 'sent' }))
  expect(reply.status).toBe(200)
})

test('a newsletter that changes while it is read never has the blocks of an earlier version', async () => {
  const orderOf = ({ json }: Awaited<ReturnType<Call>>) =>
    json.newsletter.blocks.map(
      ({ content_block }: { content_block: { id: string } }) => content_block.id,
    )
  const before = orderOf(await call('GET', older))
  const { reading } = await transaction(app.sql, async (tx) => {
    await tx`lock table newsletters in access exclusive mode`
    const started = call('GET', older)
    await until(isWaitingForLock)
    await tx`
      update newsletter_blocks set position = ${before.length + 1} - position
      where newsletter_id = ${idOf(older)}`
    await tx`update newsletters set version = version + 1 where id = ${idOf(older)}`
    return { reading: started }
  })
  expect(orderOf(await reading)).toEqual(before.toReversed())
})

test('a template that a newsletter gets is deleted after that, and the newsletter has the layout that drew it', async () => {
  const editor = await signedIn(app, team, 'editor')
  const sections = [{ title: 'All', block_types: ['general'] }]
  const own = { slug: 'own', name: 'Our own', description: 'A look', base: 'bold', sections }
  expect((await call('POST', '/templates', own)).status).toBe(201)
  const { creating, deleting } = await transaction(app.sql, async (tx) => {
    await lockComposition(tx, teamId)
    const fields = { title: 'Filled', template_slug: 'own', fill: 'on' }
    const started = editor.post('/newsletters', fields)
    await until(isWaitingForLock)
    let isDeleted = false
    const deletion = call('DELETE', '/templates/own').finally(() => {
      isDeleted = true
    })
    await until(async () => isDeleted || (await countLockWaits(observer)) === 2)
    return { creating: started, deleting: deletion }
  })
  const { location } = await creating
  expect((await deleting).status).toBe(204)
  const path = location?.replace(/\?.*/, '') ?? ''
  expect((await call('GET', `${path}/preview`)).status).toBe(200)
  expect((await call('GET', path)).json.newsletter.template_slug).toBe('bold')
})

/**
 * Starts `change` while the older newsletter is locked. It has to wait for it before it locks a block or the
 * newer newsletter. Returns its result.
 */
async function whileNewsletterIsLocked<T>(change: () => Promise<T>): Promise<T> {
  const { running } = await transaction(app.sql, async (tx) => {
    await tx`select id from newsletters where id = ${idOf(older)} for update`
    const started = change()
    await until(isWaitingForLock)
    const free = [
      ...(await tx`select id from content_blocks where id = any(${blocks}) for update skip locked`),
      ...(await tx`select id from newsletters where id = ${idOf(newer)} for update skip locked`),
    ]
    expect(free).toHaveLength(blocks.length + 1)
    return { running: started }
  })
  return await running
}

const idOf = (path: string) => path.split('/').at(-1) ?? ''

/** Whether a statement waits for a row that another transaction has locked. */
const isWaitingForLock = async (): Promise<boolean> => (await countLockWaits(observer)) > 0
