import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { loadAdapters } from '../../integrations/index.ts'
import { emptyTeam } from '../../integrations/kit/dry-run.ts'
import { adapter } from '../../integrations/notion/adapter.ts'
import updated from '../../integrations/notion/fixtures/page.properties_updated.json'
import { IngestPayload } from '../../src/contract/blocks/ingest.ts'
import { maxBodyBytes } from '../../src/contract/text.ts'
import type { BlockType } from '../../src/contract/vocabulary.ts'
import { fixtureTime, noKeys, noProvider, post, runAdapter } from '../support/adapters.ts'
import { growthOf, maxLinearGrowth } from '../support/growth.ts'

const loaded = (await loadAdapters()).get('notion')
if (loaded === undefined) throw new Error('there is no Notion adapter')
const notion = loaded

const token = 'secret_lighthouse'
const own = { api_token: 'ntn_canary-5d1f', property: 'Status', value: 'Publish' }
const json = JSON.stringify(updated.body)
const sign = (body: string, verificationToken: string) =>
  `sha256=${createHmac('sha256', verificationToken).update(body).digest('hex')}`

const context = (settings: object) => ({
  settings: v.parse(adapter.settings, { ...own, ...settings }),
  now: fixtureTime,
  language: 'en' as const,
  keys: noKeys,
  provider: noProvider,
  team: emptyTeam,
})

/** What comes of a body with this signature, for a connection with these settings. */
function receive(body: string | Uint8Array, signature: string | null, settings: object = {}) {
  const headers = signature === null ? {} : { 'x-notion-signature': signature }
  return adapter.receive(post(headers, body), context(settings))
}

describe('Notion: signature', async () => {
  const right = await sign(json, token)
  const known = { verification_token: token }

  test.each<[string, string | null]>([
    ['no signature', null],
    ['an empty signature', ''],
    ['a truncated signature', right.slice(0, -1)],
    ['upper-case hex', right.toUpperCase().replace('SHA256', 'sha256')],
    ['no prefix', right.replace('sha256=', '')],
    ['another token', await sign(json, 'secret_another')],
    ['a re-serialised body', await sign(JSON.stringify(updated.body, null, 2), token)],
  ])('a Notion request with %s is refused', async (_, signature) => {
    expect(await receive(json, signature, known)).toMatchObject({ kind: 'rejected', status: 401 })
  })

  test('both Notion tokens are accepted while one is being rotated, and no third', async () => {
    const settings = { verification_token: ['secret_next', token] }
    const kinds = ['secret_next', token, 'secret_third'].map(
      async (key) => (await receive(json, await sign(json, key), settings)).kind,
    )
    expect(await Promise.all(kinds)).toEqual(['event', 'event', 'rejected'])
  })

  test('every Notion request is refused before a verification token is known', async () => {
    expect(await receive(json, right)).toMatchObject({ kind: 'rejected', status: 401 })
    expect(await receive('{', null)).toMatchObject({ kind: 'rejected', status: 401 })
    const bytes = new Uint8Array([0xff])
    expect(await receive(bytes, right, known)).toMatchObject({ kind: 'rejected', status: 401 })
  })

  test.each(['{', '[]', 'null', '{"id":"x","type":"page.created","entity":{"id":"../users"}}'])(
    'the signed Notion request %s is refused with 400',
    async (body) => {
      const received = await receive(body, await sign(body, token), known)
      expect(received).toMatchObject({ kind: 'rejected', status: 400 })
    },
  )
})

describe('Notion: verification token', async () => {
  const body = JSON.stringify({ verification_token: token })
  const signature = await sign(body, token)
  const welcome = {
    kind: 'immediateReply',
    reply: { status: 200, body: { ok: true } },
    providerSettings: { verification_token: token },
  } as const

  test('the Notion verification token is stored from the first request, which is signed with it or not signed', async () => {
    expect(await receive(body, signature)).toEqual(welcome)
    expect(await receive(body, null)).toEqual(welcome)
  })

  test.each<[string, string, string]>([
    ['signed with another one', body, await sign(body, 'secret_another')],
    ['signed over another body', body, await sign(`${body} `, token)],
    ['that is not a token', '{"verification_token":"<b>"}', ''],
    ['that is empty', '{"verification_token":""}', ''],
  ])('no Notion verification token is stored from a request %s', async (_, sent, signed) => {
    expect(await receive(sent, signed || null)).toMatchObject({ kind: 'rejected', status: 401 })
  })

  test('a second Notion verification token is refused, and so is the same one again', async () => {
    const known = { verification_token: token }
    const other = JSON.stringify({ verification_token: 'secret_another' })
    for (const [sent, signed] of [
      [other, await sign(other, 'secret_another')],
      [other, await sign(other, token)],
      [other, null],
      [body, signature],
    ] as const)
      expect(await receive(sent, signed, known)).toMatchObject({ kind: 'rejected', status: 401 })
  })
})

const text = (plain_text: string) => ({ type: 'text', plain_text, href: null })
const paragraph = (words: string) => ({
  type: 'paragraph',
  paragraph: { rich_text: [text(words)] },
})

interface Answers {
  properties?: object
  page?: object
  /** The pages of the list of blocks. */
  blocks?: object[][]
  settings?: object
}

/** Plays a signed event about a page that Notion shows like this. */
async function playEvent({ properties, page, blocks = [[]], settings }: Answers = {}) {
  const asked: Request[] = []
  const provider = {
    fetch: async (address: string | URL, init?: RequestInit) => {
      const request = new Request(String(address), init)
      asked.push(request)
      const { pathname, searchParams } = new URL(request.url)
      if (!pathname.includes('/blocks/'))
        return Response.json({
          ...shown,
          ...page,
          properties: { ...shown.properties, ...properties },
        })
      const index = Number(searchParams.get('start_cursor') ?? 0)
      const has_more = index + 1 < blocks.length
      return Response.json({ results: blocks[index], has_more, next_cursor: String(index + 1) })
    },
  }
  const request = post({ 'x-notion-signature': await sign(json, token) }, json)
  const all = { ...own, verification_token: token, ...settings }
  return { ...(await runAdapter(notion, request, all, { provider })), asked }
}

const shown = {
  url: 'https://www.notion.so/Lighthouse-1531',
  parent: { type: 'database_id', database_id: 'dbdbdbdb-0000-4000-8000-000000000001' },
  properties: {
    Name: { type: 'title', title: [text('Lighthouse')] },
    Status: { type: 'select', select: { name: 'Publish' } },
  },
}

async function newsOf(replies: Answers) {
  const { outcome } = await playEvent(replies)
  return v.parse(v.object({ items: v.tuple([IngestPayload]) }), outcome).items[0]
}

test('the time to read the title of a Notion page grows with its length only', async () => {
  const playTitle = (title: string) =>
    playEvent({ properties: { Name: { type: 'title', title: [text(title)] } } })
  const growth = await growthOf((size) => playTitle(`a${' '.repeat(size)}b`), 4_000)
  expect(growth).toBeLessThan(maxLinearGrowth)
})

test('Notion is asked for the page and then for its blocks, at most five pages of them', async () => {
  const blocks = Array.from({ length: 9 }, (_, index) => [paragraph(`Part ${index}`)])
  const settings = { api_base_url: 'http://127.0.0.1:4011' }
  const { asked, outcome } = await playEvent({ blocks, settings })
  const id = updated.body.entity.id
  const list = `http://127.0.0.1:4011/v1/blocks/${id}/children?page_size=100`
  expect(asked.map(({ url }) => url)).toEqual([
    `http://127.0.0.1:4011/v1/pages/${id}`,
    list,
    ...['1', '2', '3', '4'].map((cursor) => `${list}&start_cursor=${cursor}`),
  ])
  expect(asked[0]?.headers.get('authorization')).toBe(`Bearer ${own.api_token}`)
  expect(asked[0]?.headers.get('notion-version')).toBe('2025-09-03')
  expect(JSON.stringify(outcome)).toContain('<p>Part 4</p>\\n<p>…</p>')
})

test.each<[string, object, string, boolean]>([
  ['a select', { type: 'select', select: { name: 'publish' } }, 'Publish ', true],
  ['a status', { type: 'status', status: { name: 'Publish' } }, 'Publish', true],
  [
    'one of several',
    { type: 'multi_select', multi_select: [{ name: 'A' }, { name: 'B' }] },
    'B',
    true,
  ],
  ['a tick', { type: 'checkbox', checkbox: true }, 'true', true],
  ['another value', { type: 'select', select: { name: 'Published' } }, 'Publish', false],
  ['no value', { type: 'select', select: null }, 'Publish', false],
  ['no tick', { type: 'checkbox', checkbox: false }, 'true', false],
  ['a person', { type: 'people', people: [{ name: 'Publish' }] }, 'Publish', false],
])('the news property of a Notion page is read from %s', async (_, Status, value, marked) => {
  const { outcome, asked } = await playEvent({ properties: { Status }, settings: { value } })
  expect('items' in outcome).toBe(marked)
  if (!marked) expect(asked).toHaveLength(1)
})

test.each([
  ['dbdbdbdb-0000-4000-8000-000000000001', {}, true],
  ['DBDBDBDB000040008000000000000001', {}, true],
  ['dbdbdbdb-0000-4000-8000-000000000002', {}, false],
  [
    'd5d5d5d5-0000-4000-8000-000000000001',
    { data_source_id: 'd5d5d5d5-0000-4000-8000-000000000001' },
    true,
  ],
  ['dbdbdbdb-0000-4000-8000-000000000001', { database_id: undefined, type: 'workspace' }, false],
])(
  'with database_id %s, a Notion page in %j is accepted: %p',
  async (database_id, more, through) => {
    const page = { parent: { ...shown.parent, ...more } }
    const { outcome } = await playEvent({ page, settings: { database_id } })
    expect('items' in outcome).toBe(through)
  },
)

test.each<[string, BlockType]>([
  ['Wins & milestones', 'wins_milestones'],
  ['ceo update', 'ceo_update'],
  ['new_starter', 'new_starter'],
  ['Learning & Development', 'learning_development'],
  ['Recipes', 'general'],
])('a Notion page of the type %p becomes a block of type %s', async (name, block_type) => {
  const Type = { type: 'select', select: { name } }
  expect((await newsOf({ properties: { Type } })).block_type).toBe(block_type)
})

test.each([
  'http://www.notion.so/x',
  'https://www.notion.so.evil.example/x',
  'javascript:alert(1)',
  'not an address',
])('a Notion page has no link to %s', async (url) => {
  const { source_url, body } = await newsOf({ page: { url } })
  expect(source_url).toBeUndefined()
  expect(body).toBe('<p>Lighthouse</p>')
})

test('a Notion page that is too long is cut between blocks, and its list is closed', async () => {
  const item = {
    type: 'bulleted_list_item',
    bulleted_list_item: { rich_text: [text('<&ü'.repeat(600))] },
  }
  const { body } = await newsOf({ blocks: [Array.from({ length: 100 }, () => item)] })
  expect(Buffer.byteLength(body)).toBeGreaterThan(maxBodyBytes - 10_000)
  expect(body.endsWith('</li></ul>\n<p>…</p>')).toBe(true)
  const huge = await newsOf({ blocks: [[paragraph('<'.repeat(maxBodyBytes))]] })
  expect(huge.body).toStartWith('<p>Lighthouse</p>')
})

test('only what readers see of a Notion page is stored, shown or logged', async () => {
  const leaks = ['private@example.test', '81250', 'authors', '13950b26', own.api_token, 'aaaaaaaa']
  const properties = {
    Owner: { type: 'people', people: [{ name: 'Ines', person: { email: leaks[0] } }] },
    Budget: { type: 'number', number: 81250 },
  }
  const kept: unknown[] = [await playEvent({ properties, blocks: [[paragraph('Words')]] })]
  kept.push(await playEvent({ properties, page: { in_trash: 'canary-7f3a' } }).catch(String))
  const text = JSON.stringify(kept)
  expect(text).toContain('does not document')
  for (const leak of [...leaks, 'canary']) expect(text).not.toContain(leak)
  expect((await playEvent()).stored).toEqual({ page_id: updated.body.entity.id })
})
