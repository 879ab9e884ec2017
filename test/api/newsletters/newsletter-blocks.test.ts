import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Team } from '../../../src/features/teams/index.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import {
  blockOf,
  type Call,
  newsletterOf,
  send,
  unlimitedClient,
} from '../../support/newsletters.ts'

let app: TestApp
let team: Team
let call: Call
beforeAll(async () => {
  app = await startApp()
  team = await app.team()
  call = await unlimitedClient(app, team)
})
afterAll(() => app.close())

const blocksOf = async (many: number, changes = {}) => {
  const ids: string[] = []
  for (let n = 1; n <= many; n++) ids.push(await blockOf(call, { title: `Story ${n}`, ...changes }))
  return ids
}

interface Place {
  id: string
  position: number
  content_block: { id: string; title: string }
}
const placesOf = async (path: string, by = call): Promise<Place[]> =>
  (await by('GET', path)).json.newsletter.blocks
/** The blocks of a newsletter in their order; throws when positions are not 1 to n. */
async function orderOf(path: string, by = call): Promise<string[]> {
  const places = await placesOf(path, by)
  expect(places.map(({ position }) => position)).toEqual(places.map((_, at) => at + 1))
  return places.map(({ content_block }) => content_block.id)
}

describe('Adding a block to a newsletter', () => {
  test('a block is added at its position, and at the end without a position or past the end', async () => {
    const [a, b, c, d] = await blocksOf(4)
    const path = await newsletterOf(call)
    const add = async (content_block_id = '', position?: number) =>
      await call('POST', `${path}/blocks`, { content_block_id, position })
    const first = await add(a)
    expect(first.json.newsletter_block).toEqual({
      id: expect.stringMatching(/^nb_[0-9a-f]{32}$/),
      position: 1,
      content_block_id: a,
      content_block_title: 'Story 1',
    })
    expect(first.headers.get('location')).toBe(
      `/api/v1${path}/blocks/${first.json.newsletter_block.id}`,
    )
    expect((await call('GET', path)).json.newsletter).toMatchObject({
      status: 'in_progress',
      blocks_count: 1,
      version: 2,
    })
    // A block in a newsletter has the version of the newsletter.
    expect(first.headers.get('etag')).toBe('"v2"')
    const part = first.headers.get('location')?.replace('/api/v1', '') ?? ''
    expect((await call('GET', part)).headers.get('etag')).toBe('"v2"')
    const unchanged = await call('GET', part, undefined, { 'if-none-match': '"v2"' })
    expect(unchanged.status).toBe(304)
    expect((await add(b, 1)).json.newsletter_block.position).toBe(1)
    expect((await add(c, 2)).json.newsletter_block.position).toBe(2)
    expect((await add(d, 99)).json.newsletter_block.position).toBe(4)
    expect(await orderOf(path)).toEqual([b, c, a, d] as string[])
    expect((await call('GET', path)).json.newsletter.version).toBe(5)
  })

  test('a block is added to a newsletter once, and only when the team has it', async () => {
    const [a] = await blocksOf(1)
    const path = await newsletterOf(call, [a ?? ''])
    const again = await call('POST', `${path}/blocks`, { content_block_id: a, position: 1 })
    expect(again.json).toMatchObject({ status: 409, code: 'block_in_use', position: 1 })
    const add = async (body: unknown) => (await call('POST', `${path}/blocks`, body)).status
    expect(await add({ content_block_id: 'cb_never' })).toBe(404)
    expect(await add({ content_block_id: 'cb_\u0000' })).toBe(422)
    expect(await add({ content_block_id: a, position: 0 })).toBe(422)
    expect(await add({ content_block_id: a, position: '1' })).toBe(422)
    expect(await add({ content_block_id: a, position: 1.5 })).toBe(422)
    expect(await add({})).toBe(422)
    expect((await call('GET', path)).json.newsletter.version).toBe(2)
  })

  test('a block is added once for one Idempotency-Key', async () => {
    const [a] = await blocksOf(1)
    const path = await newsletterOf(call)
    const one = await unlimitedClient(app, team)
    const add = () =>
      one('POST', `${path}/blocks`, { content_block_id: a }, { 'idempotency-key': 'add-1' })
    const first = await add()
    const replay = await add()
    expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect(replay.json).toEqual(first.json)
    expect((await orderOf(path)).length).toBe(1)
  })

  test('a newsletter has at most 200 blocks', async () => {
    const path = await newsletterOf(call)
    const id = path.split('/').at(-1) ?? ''
    const [a] = await blocksOf(1)
    await app.sql`
      insert into content_blocks (id, team_id, title, body, body_format, block_type, status, source, created_at, updated_at)
      select 'cb_many' || n, ${team.id}, 'Story', 'x', 'text', 'general', 'draft', 'agent', now(), now()
      from generate_series(1, 200) n`
    await app.sql`
      insert into newsletter_blocks (id, team_id, newsletter_id, content_block_id, position)
      select 'nb_many' || n, ${team.id}, ${id}, 'cb_many' || n, n from generate_series(1, 200) n`
    const more = await call('POST', `${path}/blocks`, { content_block_id: a })
    expect(more.json).toMatchObject({ status: 422, fields: [{ code: 'too_many' }] })
    expect((await call('POST', `${path}/compose`)).json.newsletter.blocks_count).toBe(200)
  })
})

describe('Removing a block from a newsletter', () => {
  test('the later blocks move up when a block is removed', async () => {
    const [a, b, c] = await blocksOf(3)
    const path = await newsletterOf(call, [a, b, c] as string[])
    const [, middle] = await placesOf(path)
    expect((await call('DELETE', `${path}/blocks/${middle?.id}`)).status).toBe(204)
    expect(await orderOf(path)).toEqual([a, c] as string[])
    expect((await call('GET', path)).json.newsletter.version).toBe(5)
    expect((await call('DELETE', `${path}/blocks/${middle?.id}`)).status).toBe(404)
    expect((await call('GET', `/content_blocks/${b}`)).status).toBe(200)
  })

  test('a ready newsletter is in progress again when its last block is removed', async () => {
    const path = await newsletterOf(call, await blocksOf(1))
    await call('PATCH', path, { status: 'ready' })
    const [only] = await placesOf(path)
    await call('DELETE', `${path}/blocks/${only?.id}`)
    expect((await call('GET', path)).json.newsletter).toMatchObject({
      status: 'in_progress',
      blocks_count: 0,
    })
  })
})

describe('Reordering the blocks of a newsletter', () => {
  test('a reorder accepts ids of newsletter blocks or of content blocks and returns the new version', async () => {
    const blocks = await blocksOf(3)
    const path = await newsletterOf(call, blocks)
    const [a, b, c] = await placesOf(path)
    const order = async (block_ids: unknown[]) =>
      await call('PATCH', `${path}/blocks/reorder`, { block_ids })
    const turned = await order([c?.id, a?.id, b?.id])
    expect(turned.headers.get('etag')).toBe('"v5"')
    expect(turned.json.newsletter_blocks.map(({ id }: Place) => id)).toEqual([c?.id, a?.id, b?.id])
    expect(await orderOf(path)).toEqual([blocks[2], blocks[0], blocks[1]] as string[])
    const back = await order(blocks)
    expect(back.json.newsletter_blocks.map(({ position }: Place) => position)).toEqual([1, 2, 3])
    expect((await order(blocks)).headers.get('etag')).toBe('"v6"')
  })

  test('a reorder that does not name exactly the present blocks gets 422 and changes nothing', async () => {
    const [x, ...blocks] = await blocksOf(4)
    const path = await newsletterOf(call, blocks)
    const [a, b, c] = blocks
    const [place] = await placesOf(path)
    for (const block_ids of [
      [],
      [a, b],
      [a, b, c, x],
      [a, b, b],
      [a, b, c, c],
      [a, b, x],
      [place?.id, a, b],
      'a',
      null,
      [a, b, 3],
    ]) {
      const { json } = await call('PATCH', `${path}/blocks/reorder`, { block_ids })
      expect([block_ids, json.status]).toEqual([block_ids, 422])
    }
    expect(await orderOf(path)).toEqual(blocks)
    expect(
      (await call('PATCH', `${await newsletterOf(call)}/blocks/reorder`, { block_ids: [] })).json,
    ).toEqual({ newsletter_blocks: [] })
  })
})

describe('Composing a newsletter', () => {
  test('composing adds the ready blocks of no other newsletter in the order of the sections, oldest first', async () => {
    const own = await unlimitedClient(app, await app.team())
    const block = async (title: string, changes = {}) => await blockOf(own, { title, ...changes })
    const elsewhere = await block('in another issue')
    await newsletterOf(own, [elsewhere])
    const sent = await block('sent before')
    await send(own, await newsletterOf(own, [sent]))
    await block('draft', { status: 'draft' })
    await block('embargoed', { publish_after: new Date(Date.now() + 60_000).toISOString() })
    await block('over', {
      publish_after: '2020-01-01T00:00:00Z',
      block_type: 'learning_development',
    })
    await block('win 1', { block_type: 'wins_milestones' })
    await block('from the boss', { block_type: 'ceo_update' })
    await block('win 2', { block_type: 'wins_milestones' })
    const path = await newsletterOf(own, [await block('chosen by hand', { status: 'draft' })])
    const composed = await own('POST', `${path}/compose`, undefined, {
      'content-type': 'application/json',
    })
    expect(composed.status).toBe(200)
    const titles = (places: Place[]) => places.map(({ content_block }) => content_block.title)
    expect(titles(composed.json.newsletter.blocks)).toEqual([
      'chosen by hand',
      'from the boss',
      'win 1',
      'win 2',
      'over',
    ])
    await orderOf(path, own)
    const again = await own('POST', `${path}/compose`, {})
    expect(again.json).toEqual(composed.json)
  })

  test('composing adds only the block types and the number that the request names', async () => {
    const own = await unlimitedClient(app, await app.team())
    for (const n of [1, 2, 3]) {
      await blockOf(own, { title: `win ${n}`, block_type: 'wins_milestones' })
      await blockOf(own, { title: `poll ${n}`, block_type: 'poll' })
    }
    const path = await newsletterOf(own)
    const body = { block_types: ['poll'], limit: 2 }
    const { newsletter } = (await own('POST', `${path}/compose`, body)).json
    expect(newsletter.status).toBe('in_progress')
    expect(newsletter.blocks.map((place: Place) => place.content_block.title)).toEqual([
      'poll 1',
      'poll 2',
    ])
    for (const wrong of [
      { limit: 0 },
      { limit: 201 },
      { block_types: [] },
      { block_types: ['x'] },
      { types: [] },
    ]) {
      expect((await own('POST', `${path}/compose`, wrong)).status).toBe(422)
    }
  })

  test('composing adds each block once, also when the request repeats a block type', async () => {
    const own = await unlimitedClient(app, await app.team())
    const blockId = await blockOf(own, { block_type: 'poll' })
    const path = await newsletterOf(own)
    const body = { block_types: ['poll', 'poll'] }
    const { status, json } = await own('POST', `${path}/compose`, body)
    expect(status).toBe(200)
    expect(json.newsletter.blocks.map((place: Place) => place.content_block.id)).toEqual([blockId])
  })

  test('composing several newsletters at once adds each block to one of them', async () => {
    const own = await unlimitedClient(app, await app.team())
    for (let n = 0; n < 10; n++) await blockOf(own)
    const paths = await Promise.all(Array.from({ length: 6 }, () => newsletterOf(own)))
    const replies = await Promise.all(
      paths.map((path) => own('POST', `${path}/compose`, { limit: 3 })),
    )
    for (const { status } of replies) expect(status).toBe(200)
    const taken = (await Promise.all(paths.map((path) => orderOf(path, own)))).flat()
    expect([taken.length, new Set(taken).size]).toEqual([10, 10])
  })
})

describe('A block in an unsent newsletter', () => {
  test('a block in an unsent newsletter cannot be deleted, and the response names the newsletter', async () => {
    const [block] = await blocksOf(1)
    const path = await newsletterOf(call, [block ?? ''], { title: 'The November issue' })
    const { json } = await call('DELETE', `/content_blocks/${block}`)
    expect(json).toMatchObject({
      status: 409,
      code: 'block_in_use',
      newsletter: { title: 'The November issue' },
    })
    expect(json.newsletter.id).toBe(path.split('/').at(-1))
    expect(json.detail).toContain('The November issue')
    await call('DELETE', path)
    expect((await call('DELETE', `/content_blocks/${block}`)).status).toBe(204)
  })

  test('a block is either deleted or added to a newsletter when both happen at once', async () => {
    for (let round = 0; round < 15; round++) {
      const [[block = ''], path] = [await blocksOf(1), await newsletterOf(call)]
      const [deleted, added] = await Promise.all([
        call('DELETE', `/content_blocks/${block}`),
        call('POST', `${path}/blocks`, { content_block_id: block }),
      ])
      const outcome = [deleted.status, added.status, (await orderOf(path)).length]
      expect([
        [204, 404, 0],
        [409, 201, 1],
      ]).toContainEqual(outcome)
    }
  })
})

describe('Concurrent changes of the blocks of a newsletter', () => {
  test('fifty concurrent additions and reorders leave the positions 1 to n', async () => {
    const workers = [call, await unlimitedClient(app, team), await unlimitedClient(app, team)]
    const blocks = await blocksOf(50)
    const path = await newsletterOf(call)
    const by = (n: number) => workers[n % workers.length] ?? call
    const replies = await Promise.all(
      blocks.flatMap((content_block_id, n) => [
        by(n)('POST', `${path}/blocks`, { content_block_id, position: 1 + (n % 7) }),
        orderedAnew(by(n + 1), path),
      ]),
    )
    for (const { status } of replies) expect([200, 201, 422]).toContain(status)
    expect(replies.filter(({ status }) => status === 201).length).toBe(50)
    expect((await orderOf(path)).toSorted()).toEqual(blocks.toSorted())
  })

  async function orderedAnew(by: Call, path: string) {
    const block_ids = (await placesOf(path, by)).map(({ id }) => id).toReversed()
    return await by('PATCH', `${path}/blocks/reorder`, { block_ids })
  }

  test('a concurrent removal, addition and deletion of the newsletter leave a consistent state', async () => {
    for (let round = 0; round < 10; round++) {
      const [a = '', b = '', c = ''] = await blocksOf(3)
      const path = await newsletterOf(call, [a, b])
      await call('PATCH', path, { status: 'ready' })
      const [place] = await placesOf(path)
      const replies = await Promise.all([
        call('DELETE', `${path}/blocks/${place?.id}`),
        call('POST', `${path}/blocks`, { content_block_id: c }),
        round % 2 ? call('DELETE', path) : call('PATCH', path, { status: 'sent' }),
      ])
      for (const { status } of replies) expect([200, 201, 204, 404, 409]).toContain(status)
      if (round % 2 === 0) await orderOf(path)
      else expect((await call('GET', path)).status).toBe(404)
    }
  })
})
