import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import published from '../../integrations/github/fixtures/release.published.json'
import { loadAdapters } from '../../integrations/index.ts'
import { IngestPayload } from '../../src/contract/blocks/ingest.ts'
import { post, runAdapter } from '../support/adapters.ts'

const secret = 'lighthouse'
const adapter = (await loadAdapters()).get('github')
if (adapter === undefined) throw new Error('there is no GitHub adapter')
const github = adapter

const hmac = (key: string, body: string | Uint8Array, algorithm = 'sha256') =>
  `${algorithm}=${createHmac(algorithm, key).update(body).digest('hex')}`

interface Changes {
  body?: string | Uint8Array
  /** `null` leaves a header out. */
  headers?: Record<string, string | null>
  settings?: object
}

/** Plays a published release, right in everything but the given changes. */
function send({ body = JSON.stringify(published.body), headers, settings }: Changes = {}) {
  const all = { ...published.headers, 'x-hub-signature-256': hmac(secret, body), ...headers }
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null)
  return runAdapter(github, post(Object.fromEntries(sent), body), { secret, ...settings })
}

const withRelease = (release: object, repository: object = {}) =>
  JSON.stringify({
    ...published.body,
    release: { ...published.body.release, ...release },
    repository: { ...published.body.repository, ...repository },
  })

/** The one item of news a release becomes, as ingest takes it. */
async function newsOf(body: string | Uint8Array) {
  const { outcome } = await send({ body })
  return v.parse(v.object({ items: v.tuple([IngestPayload]) }), outcome).items[0]
}

describe('GitHub: signature', () => {
  const body = JSON.stringify(published.body)
  const right = hmac(secret, body)

  test.each<[string, string | null]>([
    ['missing', null],
    ['empty', ''],
    ['of another secret', hmac('another', body)],
    ['truncated', right.slice(0, -1)],
    ['in upper case', right.toUpperCase().replace('SHA256', 'sha256')],
    ['without its prefix', right.replace('sha256=', '')],
    ['in SHA-1', hmac(secret, body, 'sha1')],
    [
      'over the same JSON written differently',
      hmac(secret, JSON.stringify(published.body, null, 2)),
    ],
  ])('a GitHub signature that is %s is refused', async (_, signature) => {
    const { outcome } = await send({ headers: { 'x-hub-signature-256': signature } })
    expect(outcome).toMatchObject({ rejected: 401 })
  })

  test('the signature of a GitHub request is checked before anything else', async () => {
    const { outcome } = await send({
      body: '{',
      headers: { 'x-hub-signature-256': right, 'x-github-delivery': null },
    })
    expect(outcome).toMatchObject({ rejected: 401 })
  })

  test('both GitHub secrets are accepted while one is being rotated, and no third', async () => {
    const settings = { secret: ['next', secret] }
    const signedWith = (key: string) =>
      send({ settings, headers: { 'x-hub-signature-256': hmac(key, body) } })
    expect((await signedWith('next')).outcome).toHaveProperty('items')
    expect((await signedWith(secret)).outcome).toHaveProperty('items')
    expect((await signedWith('third')).outcome).toMatchObject({ rejected: 401 })
  })

  test('a signed GitHub request with an empty body or bytes that are not UTF-8 is refused', async () => {
    expect((await send({ body: '' })).outcome).toMatchObject({ rejected: 401 })
    const broken = new Uint8Array([...new TextEncoder().encode('{"a":"'), 0xff, 0x22, 0x7d])
    expect((await send({ body: broken })).outcome).toMatchObject({ rejected: 401 })
    const headers = { 'x-hub-signature-256': hmac(secret, new TextDecoder().decode(broken)) }
    expect((await send({ body: broken, headers })).outcome).toMatchObject({ rejected: 401 })
  })

  // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
  test("GitHub's published example has a valid signature and is then refused because it is not JSON", async () => {
    const { outcome } = await send({
      body: 'Hello, World!',
      settings: { secret: "It's a Secret to Everybody" },
      headers: {
        'x-hub-signature-256':
          'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
      },
    })
    expect(outcome).toMatchObject({ rejected: 400 })
  })
})

describe('signed GitHub requests that cannot be read', () => {
  test.each<[string, Changes]>([
    ['invalid JSON', { body: '{"action":' }],
    ['JSON after a byte order mark', { body: '\ufeff{}' }],
    ['JSON nested without end', { body: '['.repeat(200_000) }],
    ['a list', { body: '[]' }],
    ['null', { body: 'null' }],
    ['a release of another shape', { body: '{"action":"published","release":"v1"}' }],
    ['an action that is not a word', { body: '{"action":"<b>"}' }],
    ['no delivery id', { headers: { 'x-github-delivery': null } }],
    ['no event name', { headers: { 'x-github-event': null } }],
    [
      'a form without payload',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
  ])('a signed GitHub request that contains %s is refused with 400', async (_, changes) => {
    expect((await send(changes)).outcome).toMatchObject({ rejected: 400 })
  })

  test('the reason for a refused GitHub request repeats nothing of it', async () => {
    const { outcome } = await send({ body: withRelease({ id: 'canary-7f3a' }) })
    expect(outcome).toEqual({
      rejected: 400,
      reason: 'release: release.id is not as GitHub documents it',
    })
  })
})

describe('GitHub: settings', () => {
  test.each([
    {},
    { secret: '' },
    { secret: [] },
    { secret: ['a', 'b', 'c'] },
    { secret, allow_private: 'yes' },
    { secret, repositories: 'tideline' },
    { secret, repositories: '*/tideline' },
  ])('the GitHub settings %j are refused', (settings) => {
    expect(v.safeParse(github.settings, settings).success).toBe(false)
  })

  test.each([
    ['Marlowe-Labs/TideLine', true],
    ['elsewhere/thing,marlowe-labs/*', true],
    ['', true],
    ['marlowe-labs/tide', false],
    ['marlowe/*', false],
  ])(
    'with repositories=%s, the GitHub repository Marlowe-Labs/tideline is accepted: %p',
    async (repositories, through) => {
      const body = withRelease({}, { full_name: 'Marlowe-Labs/tideline' })
      const { outcome } = await send({ body, settings: { repositories } })
      expect('items' in outcome).toBe(through)
    },
  )

  test.each([
    { private: true, visibility: undefined },
    { private: true, visibility: 'public' },
    { private: false, visibility: 'internal' },
  ])('a GitHub repository with %j needs allow_private', async (repository) => {
    const body = withRelease({}, repository)
    expect((await send({ body })).outcome).toHaveProperty('ignored')
    const settings = { allow_private: 'true' }
    expect((await send({ body, settings })).outcome).toHaveProperty('items')
  })

  test('parsed GitHub settings are parsed again to the same settings', () => {
    const parsed = v.parse(github.settings, { secret, allow_private: 'true', repositories: 'A/b' })
    expect(v.parse(github.settings, parsed)).toEqual(parsed)
  })
})

describe('titles of GitHub releases', () => {
  test.each([
    ['a long name', 'x'.repeat(300), `tideline v2.0.0 “${'x'.repeat(62)}…`],
    ['a long row of families', '👨‍👩‍👧‍👦'.repeat(60), `tideline v2.0.0 “${'👨‍👩‍👧‍👦'.repeat(8)}…`],
    ['line breaks', 'One\r\nBcc: all@example.test\u2028two', 'One Bcc: all@example.test two'],
    ['NUL, escapes and turned writing', 'a\0b\u001b[2J\u202ec', 'tideline v2.0.0 “ab[2Jc” is out'],
    ['half a surrogate pair', 'a\ud800', 'tideline v2.0.0 “a\ufffd” is out'],
    ['blanks', ' \t ', 'tideline v2.0.0 is out'],
    [
      'letters that NFC takes apart',
      '\u0958'.repeat(130),
      `tideline v2.0.0 “${'\u0915\u093c'.repeat(31)}…`,
    ],
    ['an accent apart from its letter', 'Cafe\u0301', 'tideline v2.0.0 “Caf\u00e9” is out'],
  ])(
    'the title of a GitHub release with %s is one line of at most 80 characters',
    async (_, name, title) => {
      expect((await newsOf(withRelease({ name }))).title).toBe(title)
    },
  )
})

describe('links of GitHub releases', () => {
  test.each([
    'http://github.com/marlowe-labs/tideline',
    'https://github.com.evil.example/x',
    'https://github.com@evil.example/x',
    'https://user:pass@github.com/x',
    'javascript:alert(1)//https://github.com/',
    'not an address',
  ])('the link of a GitHub release does not lead to %s', async (html_url) => {
    const { source_url, body } = await newsOf(withRelease({ html_url, body: 'Notes' }))
    expect(source_url).toBeUndefined()
    expect(body).toBe('<p>Notes</p>')
  })

  test('the link of a GitHub release is left out when it is longer than ingest accepts', async () => {
    const html_url = `https://github.com/${'x'.repeat(2048)}`
    expect((await newsOf(withRelease({ html_url }))).source_url).toBeUndefined()
  })

  test('the link of a GitHub release may lead to a GitHub Enterprise host', async () => {
    const html_url = 'https://git.example.test/a/b'
    const { source_url } = await newsOf(withRelease({ html_url }, { html_url }))
    expect(source_url).toBe(html_url)
  })
})

test('only the fields that are read of a GitHub event are stored or shown', async () => {
  const { stored, outcome } = await send()
  const kept = JSON.stringify([stored, outcome])
  expect(kept).toContain('mira-okonkwo')
  for (const leak of [
    ...['owners@marlowe-labs.example', '90210417', '77001122', '30215566', '448812003'],
    ...['clone_url', 'git@', '.git"', 'node_id', 'avatar', 'installation', 'sender', 'owner'],
  ])
    expect(kept).not.toContain(leak)
})

test('a stored GitHub event contains no character that PostgreSQL cannot store', async () => {
  const { stored } = await send({ body: withRelease({ body: 'a\0b\udfff', tag_name: '\0\ud800' }) })
  expect(JSON.stringify(stored)).not.toMatch(/\\u0000|\\ud[89a-f]/i)
})

test('a GitHub draft is ignored whatever its action is', async () => {
  const { outcome } = await send({ body: withRelease({ draft: true }) })
  expect(outcome).toHaveProperty('ignored')
})

test.each([
  { login: 'release-bot[bot]', type: 'Bot' },
  { login: 'marlowe-bot', type: 'User' },
  { login: 'renovate', type: 'User' },
])('a GitHub bot is not named as an author: %j', async (account) => {
  const author = { ...published.body.release.author, ...account }
  expect((await newsOf(withRelease({ author }))).author).toBeUndefined()
})
