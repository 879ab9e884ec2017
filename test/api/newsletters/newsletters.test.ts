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
let stranger: Call
beforeAll(async () => {
  app = await startApp()
  team = await app.team()
  call = await unlimitedClient(app, team)
  stranger = await unlimitedClient(app, await app.team())
})
afterAll(() => app.close())

/** What simple clients send on every call, also on those without a body. */
const always = { 'content-type': 'application/json' }
const status = async (path: string, to: string) => await call('PATCH', path, { status: to })

describe('A newsletter', () => {
  test('a newsletter is created, filled, made ready and sent by a simple client', async () => {
    const [one, two, three] = await Promise.all(
      [1, 2, 3].map((n) => blockOf(call, { title: `Story ${n}` })),
    )
    const made = await call('POST', '/newsletters', { title: 'November' }, always)
    expect([made.status, made.headers.get('etag')]).toEqual([201, '"v1"'])
    expect(made.json.newsletter).toMatchObject({
      title: 'November',
      subject_line: null,
      preheader_text: null,
      status: 'draft',
      scheduled_date: null,
      template_slug: 'clean',
      blocks_count: 0,
      blocks: [],
      version: 1,
      sent_at: null,
    })
    const path = `/newsletters/${made.json.newsletter.id}`
    expect(made.headers.get('location')).toBe(`/api/v1${path}`)

    const details = { subject_line: 'What November brought', scheduled_date: '2026-11-30' }
    expect((await call('PATCH', path, details, always)).json.newsletter).toMatchObject(details)
    for (const content_block_id of [one, two, three]) {
      const added = await call('POST', `${path}/blocks`, { content_block_id }, always)
      expect(added.status).toBe(201)
    }
    const { blocks } = (await call('GET', path, undefined, always)).json.newsletter
    const ids = blocks.map(({ id }: { id: string }) => id)
    const block_ids = ids.toReversed()
    const ordered = await call('PATCH', `${path}/blocks/reorder`, { block_ids }, always)
    expect(
      ordered.json.newsletter_blocks.map(
        ({ content_block_title: title }: { content_block_title: string }) => title,
      ),
    ).toEqual(['Story 3', 'Story 2', 'Story 1'])
    const gone = await call('DELETE', `${path}/blocks/${ids[1]}`, undefined, always)
    expect([gone.status, gone.text]).toEqual([204, ''])

    const preview = await call('GET', `${path}/preview`, undefined, always)
    expect(preview.json.preview.text).toContain('Story 3')
    expect((await status(path, 'ready')).json.newsletter.status).toBe('ready')
    const sent = (await status(path, 'sent')).json.newsletter
    expect(sent).toMatchObject({ status: 'sent', blocks_count: 2 })
    expect(Date.parse(sent.sent_at)).toBeGreaterThan(Date.parse(sent.created_at))
    expect((await call('GET', `/content_blocks/${three}`)).json.content_block).toMatchObject({
      status: 'used',
      version: 2,
    })
    expect((await call('GET', `/content_blocks/${two}`)).json.content_block.status).toBe('ready')
  })

  test('a newsletter with read-only, unknown or invalid fields gets 422', async () => {
    const long = 'x'.repeat(256)
    const { json } = await call('POST', '/newsletters', {
      title: 'Hi\r\nBcc: v@evil.example',
      subject_line: 'two\u2028lines',
      preheader_text: long,
      scheduled_date: '2026-02-30',
      template_slug: 'Clean',
      status: 'sent',
      version: 7,
    })
    expect(json.status).toBe(422)
    expect(json.fields.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
      '/preheader_text',
      '/scheduled_date',
      '/status',
      '/subject_line',
      '/template_slug',
      '/title',
      '/version',
    ])
    expect((await call('POST', '/newsletters', { subject_line: 'x' })).json.detail).toBe(
      'title is required',
    )
    const unknown = await call('POST', '/newsletters', { title: 't', template_slug: 'nowhere' })
    expect(unknown.json).toMatchObject({ status: 422, fields: [{ pointer: '/template_slug' }] })
  })

  test('a newsletter keeps its version when nothing changes, and its blocks stay when it is deleted', async () => {
    const block = await blockOf(call)
    const path = await newsletterOf(call, [block])
    const same = await call('PATCH', path, { title: 'November', scheduled_date: null })
    expect(same.json.newsletter.version).toBe(2)
    expect((await call('PATCH', path, {})).headers.get('etag')).toBe('"v2"')
    expect((await call('DELETE', path, undefined, always)).status).toBe(204)
    expect((await call('GET', path)).status).toBe(404)
    expect((await call('DELETE', path)).status).toBe(404)
    expect((await call('GET', `/content_blocks/${block}`)).status).toBe(200)
  })

  test('a newsletter keeps its version when its cover keeps its focal point, also with more digits than are stored', async () => {
    const focus = { cover_focal_x: 1 / 3, cover_focal_y: 0.123456789 }
    const made = await call('POST', '/newsletters', { title: 'November', ...focus })
    const path = `/newsletters/${made.json.newsletter.id}`
    const { cover_focal_x, cover_focal_y } = made.json.newsletter
    for (const same of [focus, { cover_focal_x, cover_focal_y }]) {
      expect((await call('PATCH', path, same)).json.newsletter).toEqual(made.json.newsletter)
    }
    expect((await call('PATCH', path, { cover_focal_y: 0.124 })).json.newsletter.version).toBe(2)
  })

  test('POST /newsletters with one Idempotency-Key creates one newsletter', async () => {
    const body = { title: `Once ${crypto.randomUUID()}` }
    const key = { 'idempotency-key': 'make-1' }
    // The key is the caller's own: all of these go out under one.
    const one = await unlimitedClient(app, team)
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => one('POST', '/newsletters', body, key)),
    )
    const ids = replies.flatMap(({ json }) => json.newsletter?.id ?? [])
    expect(new Set(ids).size).toBe(1)
    const replay = await one('POST', '/newsletters', body, key)
    expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    const { json } = await call('GET', '/newsletters?per_page=100')
    expect(
      json.newsletters.filter(({ title }: { title: string }) => title === body.title).length,
    ).toBe(1)
  })
})

describe('Versions of a newsletter', () => {
  test('If-Match lets one of several concurrent changes of a newsletter succeed', async () => {
    const path = await newsletterOf(call, [await blockOf(call)])
    const { headers } = await call('GET', path)
    const seen = { 'if-match': headers.get('etag') ?? '' }
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => call('PATCH', path, { title: `by ${n}` }, seen)),
    )
    expect(replies.filter(({ status }) => status === 200).length).toBe(1)
    expect(replies.filter(({ status }) => status === 412).length).toBe(19)
    const [newsletterBlock] = (await call('GET', path)).json.newsletter.blocks
    const late = await Promise.all([
      call('DELETE', path, undefined, seen),
      call('DELETE', `${path}/blocks/${newsletterBlock.id}`, undefined, seen),
      call('PATCH', `${path}/blocks/reorder`, { block_ids: [newsletterBlock.id] }, seen),
    ])
    for (const { json } of late)
      expect(json).toMatchObject({ code: 'version_mismatch', version: 3 })
    expect((await call('DELETE', path, undefined, { 'if-match': '"v3"' })).status).toBe(204)
  })

  test('a change of one of its blocks gives a newsletter its next ETag', async () => {
    const block = await blockOf(call)
    const path = await newsletterOf(call, [block])
    const known = { 'if-none-match': '"v2"' }
    expect((await call('GET', path, undefined, known)).status).toBe(304)
    await call('PATCH', `/content_blocks/${block}`, { title: 'A better story' })
    const fresh = await call('GET', path, undefined, known)
    expect(fresh.json.newsletter.blocks[0].content_block.title).toBe('A better story')
    expect(fresh.json.newsletter.updated_at > fresh.json.newsletter.created_at).toBe(true)
    const etag = fresh.headers.get('etag') ?? ''
    expect(etag).toBe('"v3"')
    expect((await call('GET', path, undefined, { 'if-none-match': etag })).status).toBe(304)
    const outdated = await call('PATCH', path, { title: 'Next' }, { 'if-match': '"v2"' })
    expect(outdated.json).toMatchObject({ status: 412, code: 'version_mismatch', version: 3 })
  })

  test('a sent newsletter keeps its ETag when one of its blocks changes', async () => {
    const block = await blockOf(call)
    const path = await newsletterOf(call, [block])
    for (const to of ['ready', 'sent']) await status(path, to)
    const known = { 'if-none-match': (await call('GET', path)).headers.get('etag') ?? '' }
    await call('PATCH', `/content_blocks/${block}`, { title: 'After the fact' })
    expect((await call('GET', path, undefined, known)).status).toBe(304)
  })
})

describe('The ETag of a sent newsletter', () => {
  test('a sent newsletter has another ETag when its page in the archive begins or ends to exist', async () => {
    const own = await unlimitedClient(app, await app.team())
    const path = await newsletterOf(own, [await blockOf(own)])
    await send(own, path)
    const read = async (known = '') => {
      const { status, headers, json } = await own('GET', path, undefined, {
        'if-none-match': known,
      })
      return { status, etag: headers.get('etag') ?? '', archive: json?.newsletter.archive_url }
    }
    const off = await read()
    await own('PATCH', '/team', { archive: 'link' })
    const on = await read(off.etag)
    expect(on).toMatchObject({ status: 200, archive: expect.stringContaining('/archive/') })
    expect((await read(on.etag)).status).toBe(304)
    await own('PATCH', '/team', { archive: 'off' })
    expect(await read(on.etag)).toEqual(off)
  })

  test('the response that sends a newsletter has the ETag of its page in the archive, which If-Match reads as its version', async () => {
    const own = await unlimitedClient(app, await app.team())
    await own('PATCH', '/team', { archive: 'link' })
    const path = await newsletterOf(own, [await blockOf(own)])
    await own('PATCH', path, { status: 'ready' })
    const sent = await own('PATCH', path, { status: 'sent' })
    const etag = sent.headers.get('etag') ?? ''
    expect((await own('GET', path, undefined, { 'if-none-match': etag })).status).toBe(304)
    const refused = await own('PATCH', path, { title: 'Later' }, { 'if-match': etag })
    expect(refused.json.code).toBe('newsletter_sent')
  })
})

describe('The transition of a newsletter to ready', () => {
  test('a newsletter that cannot become ready gets a response with everything that is missing', async () => {
    const path = await newsletterOf(
      call,
      [await blockOf(call, { status: 'draft', title: 'Half a story' })],
      { subject_line: null },
    )
    const { json } = await status(path, 'ready')
    expect(json).toMatchObject({
      status: 409,
      code: 'invalid_transition',
      from: 'in_progress',
      to: 'ready',
      missing: ['subject_line is missing', 'block 1, "Half a story", is still a draft'],
    })
    expect(json.detail).toContain('Half a story')
    const empty = await newsletterOf(call)
    await status(empty, 'in_progress')
    expect((await status(empty, 'ready')).json.missing).toEqual(['it has no blocks'])
  })

  test('a newsletter with a block under embargo becomes ready only after the embargo', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString()
    const block = await blockOf(call, { publish_after: until })
    const path = await newsletterOf(call, [block])
    const { json } = await status(path, 'ready')
    expect(json).toMatchObject({ status: 409, code: 'embargoed', allowed: ['draft', 'ready'] })
    const sentence = `under embargo until ${until.slice(0, 16).replace('T', ' ')} UTC`
    expect(json.detail).toContain(sentence)
    await call('PATCH', `/content_blocks/${block}`, { publish_after: null })
    expect((await status(path, 'ready')).status).toBe(200)
  })

  test('a ready newsletter is in progress again when something that it needs is removed, and only then', async () => {
    const [block, draft] = [await blockOf(call), await blockOf(call, { status: 'draft' })]
    const path = await newsletterOf(call, [block])
    await status(path, 'ready')
    const after = async () => (await call('GET', path)).json.newsletter.status
    await call('POST', `${path}/blocks`, { content_block_id: await blockOf(call) })
    expect(await after()).toBe('ready')
    await call('POST', `${path}/blocks`, { content_block_id: draft })
    expect(await after()).toBe('in_progress')

    await call('PATCH', `/content_blocks/${draft}`, { status: 'ready' })
    await status(path, 'ready')
    const emptied = await call('PATCH', path, { subject_line: null })
    expect(emptied.json.newsletter.status).toBe('in_progress')
    expect((await call('PATCH', path, { subject_line: 'Back', status: 'ready' })).status).toBe(200)
    expect((await call('PATCH', path, { subject_line: null, status: 'ready' })).status).toBe(409)
  })

  test('a ready newsletter is in progress again when one of its blocks becomes a draft or gets an embargo', async () => {
    const [block, other] = [await blockOf(call), await blockOf(call)]
    const path = await newsletterOf(call, [block, other])
    const after = async () => (await call('GET', path)).json.newsletter.status
    const until = new Date(Date.now() + 3_600_000).toISOString()
    for (const [change, reverse] of [
      [{ status: 'draft' }, { status: 'ready' }],
      [{ publish_after: until }, { publish_after: null }],
    ]) {
      expect((await status(path, 'ready')).status).toBe(200)
      await call('PATCH', `/content_blocks/${block}`, { title: 'A better story' })
      expect(await after()).toBe('ready')
      await call('PATCH', `/content_blocks/${block}`, change)
      expect(await after()).toBe('in_progress')
      expect((await status(path, 'sent')).status).toBe(409)
      await call('PATCH', `/content_blocks/${block}`, reverse)
    }
  })

  test('a newsletter that nobody has approved, where the team requires that, gets a response with the other statuses that are allowed', async () => {
    const strict = await app.team()
    const own = await unlimitedClient(app, strict)
    const path = await newsletterOf(own, [await blockOf(own)])
    await app.sql`update teams set requires_approval = true where id = ${strict.id}`
    const refused = await own('PATCH', path, { status: 'ready' })
    expect(refused.json).toMatchObject({
      status: 409,
      code: 'invalid_transition',
      from: 'in_progress',
      to: 'ready',
      allowed: ['draft'],
      missing: ['a second person has not approved it as it is'],
    })
    expect((await own('PATCH', path, { status: 'draft' })).status).toBe(200)
  })

  test('a newsletter cannot skip a status', async () => {
    const path = await newsletterOf(call, [await blockOf(call)])
    expect((await status(path, 'sent')).json).toMatchObject({
      status: 409,
      code: 'invalid_transition',
      from: 'in_progress',
      to: 'sent',
      allowed: ['draft', 'ready'],
    })
    expect((await status(path, 'draft')).json.newsletter.status).toBe('draft')
    for (const to of ['ready', 'sent']) {
      expect((await status(path, to)).json).toMatchObject({
        from: 'draft',
        to,
        allowed: ['in_progress'],
      })
    }
    expect((await status(path, 'gone')).status).toBe(422)
  })
})

describe('A sent newsletter', () => {
  test('a sent newsletter stays as it was sent when its blocks change or are deleted', async () => {
    const [kept, deleted] = [
      await blockOf(call, { title: 'Kept' }),
      await blockOf(call, { title: 'Deleted' }),
    ]
    const path = await newsletterOf(call, [kept, deleted])
    await send(call, path)
    const before = await Promise.all([call('GET', path), call('GET', `${path}/preview`)])
    await call('PATCH', `/content_blocks/${kept}`, {
      status: 'ready',
      title: 'Rewritten',
      block_type: 'poll',
    })
    expect((await call('DELETE', `/content_blocks/${deleted}`)).status).toBe(204)
    const after = await Promise.all([call('GET', path), call('GET', `${path}/preview`)])
    expect(after.map(({ json }) => json)).toEqual(before.map(({ json }) => json))
    expect(after[0].json.newsletter.blocks[1].content_block).toEqual({
      id: deleted,
      title: 'Deleted',
      block_type: 'general',
      status: 'used',
    })
    expect(after[1].json.preview.html).toContain('Deleted')
    expect(
      (await call('GET', path, undefined, { 'if-none-match': before[0].headers.get('etag') ?? '' }))
        .status,
    ).toBe(304)
  })

  test('a sent newsletter refuses every change with 409', async () => {
    const block = await blockOf(call)
    const path = await newsletterOf(call, [block])
    const other = await blockOf(call)
    await send(call, path)
    const before = (await call('GET', path)).json
    const [{ id }] = before.newsletter.blocks
    const refused = await Promise.all([
      call('PATCH', path, { title: 'Other' }),
      call('PATCH', path, { status: 'ready' }),
      call('PATCH', path, { status: 'sent' }),
      call('PATCH', path, {}, { 'if-match': '"v1"' }),
      call('DELETE', path),
      call('POST', `${path}/blocks`, { content_block_id: other }),
      call('DELETE', `${path}/blocks/${id}`),
      call('PATCH', `${path}/blocks/reorder`, { block_ids: [id] }),
      call('POST', `${path}/compose`),
    ])
    for (const { json } of refused)
      expect(json).toMatchObject({ status: 409, code: 'newsletter_sent' })
    expect((await call('GET', path)).json).toEqual(before)
  })

  test('a newsletter is sent once when many requests send it at the same time', async () => {
    const block = await blockOf(call)
    const path = await newsletterOf(call, [block])
    await status(path, 'ready')
    const replies = await Promise.all(Array.from({ length: 10 }, () => status(path, 'sent')))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
    expect((await call('GET', `/content_blocks/${block}`)).json.content_block.version).toBe(2)
  })

  test('a sent newsletter contains no block that became a draft at the same time', async () => {
    for (let round = 0; round < 15; round++) {
      const block = await blockOf(call)
      const path = await newsletterOf(call, [block])
      await status(path, 'ready')
      const [sent, drafted] = await Promise.all([
        status(path, 'sent'),
        call('PATCH', `/content_blocks/${block}`, { status: 'draft' }),
      ])
      expect([
        [200, 409],
        [409, 200],
      ]).toContainEqual([sent.status, drafted.status])
    }
  })

  test('two newsletters with the same blocks are sent at the same time without a deadlock', async () => {
    const blocks = await Promise.all(Array.from({ length: 8 }, () => blockOf(call)))
    const paths = await Promise.all([
      newsletterOf(call, blocks),
      newsletterOf(call, blocks.toReversed()),
    ])
    await Promise.all(paths.map((path) => status(path, 'ready')))
    const replies = await Promise.all(paths.map((path) => status(path, 'sent')))
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
  })
})

describe('GET /newsletters by page', () => {
  test('GET /newsletters lists the newest newsletters first, by page, cursor and status', async () => {
    const own = await unlimitedClient(app, await app.team())
    for (let n = 1; n <= 7; n++) await newsletterOf(own, [], { title: `Issue ${n}` })
    const block = await blockOf(own)
    await send(own, await newsletterOf(own, [block], { title: 'Issue 8' }))
    const titles = ({ json }: { json: { newsletters: { title: string }[] } }) =>
      json.newsletters.map(({ title }) => title)

    const first = await own('GET', '/newsletters?per_page=3', undefined, always)
    expect(titles(first)).toEqual(['Issue 8', 'Issue 7', 'Issue 6'])
    expect(first.json.newsletters[0]).toMatchObject({ status: 'sent', blocks_count: 1 })
    expect(first.json.newsletters[0]).not.toHaveProperty('blocks')
    expect(first.json.meta).toMatchObject({ page: 1, per_page: 3, total: 8, total_pages: 3 })
    expect(first.headers.get('link')).toContain(
      '<http://tidings.test/api/v1/newsletters?per_page=3&page=2>; rel="next"',
    )
    const next = await own('GET', `/newsletters?per_page=3&after=${first.json.meta.next_cursor}`)
    expect(titles(next)).toEqual(['Issue 5', 'Issue 4', 'Issue 3'])
    expect((await own('GET', '/newsletters?status=sent')).json.meta.total).toBe(1)
    expect((await own('GET', '/newsletters?status=sent&status=draft')).json.meta.total).toBe(8)
    expect((await own('GET', '/newsletters?status=lost')).status).toBe(422)
    const foreign = await stranger('GET', `/newsletters?after=${first.json.meta.next_cursor}`)
    expect(foreign.status).toBe(422)
    expect((await own('GET', '/team')).json.team.usage.newsletters.used).toBe(8)
  })
})

describe('Newsletters of another team', () => {
  test('a newsletter of another team gets 404 on every route', async () => {
    const path = await newsletterOf(call, [await blockOf(call)])
    const before = (await call('GET', path)).json
    const [{ id }] = before.newsletter.blocks
    const theirs = await blockOf(stranger)
    const replies = await Promise.all([
      stranger('GET', path),
      stranger('GET', `${path}/preview`),
      stranger('PATCH', path, { title: 'Theirs' }),
      stranger('DELETE', path),
      stranger('POST', `${path}/blocks`, { content_block_id: theirs }),
      stranger('DELETE', `${path}/blocks/${id}`),
      stranger('PATCH', `${path}/blocks/reorder`, { block_ids: [id] }),
      stranger('POST', `${path}/compose`, {}),
      stranger('POST', `${path}/send_preview`, {}),
    ])
    const never = (await stranger('GET', '/newsletters/nl_never')).json
    for (const { json } of replies)
      expect({ ...json, request_id: '' }).toEqual({ ...never, request_id: '' })
    expect((await call('GET', path)).json).toEqual(before)
    expect((await stranger('GET', '/newsletters')).json.meta.total).toBe(0)
  })

  test('a newsletter accepts no block, no position and no template of another team', async () => {
    const [ours, theirs] = [
      await newsletterOf(call, [await blockOf(call)]),
      await newsletterOf(stranger, [await blockOf(stranger)]),
    ]
    const [{ id, content_block }] = (await stranger('GET', theirs)).json.newsletter.blocks
    const before = (await call('GET', ours)).json
    const added = await call('POST', `${ours}/blocks`, { content_block_id: content_block.id })
    expect([added.status, added.json.detail]).toEqual([404, 'The content block was not found'])
    expect((await call('DELETE', `${ours}/blocks/${id}`)).status).toBe(404)
    expect((await call('PATCH', `${ours}/blocks/reorder`, { block_ids: [id] })).status).toBe(422)
    expect((await call('GET', ours)).json).toEqual(before)
  })
})
