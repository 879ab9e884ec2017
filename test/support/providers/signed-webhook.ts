import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { loadAdapters } from '../../../integrations/index.ts'
import { IngestPayload } from '../../../src/contract/blocks/ingest.ts'
import { fixtureTime, post, runAdapter } from '../adapters.ts'

type Settings = Record<string, unknown>

/** A provider's webhook under test: a request that becomes an item, and how it is signed. */
interface HookUnderTest {
  slug: string
  fixture: { headers: Record<string, string>; body: object }
  /** The setting that contains the secret, and three secrets for it. */
  setting: string
  secrets: readonly [string, string, string]
  /** Settings besides the secret. */
  settings?: Settings
  sign(body: string, settings: Record<string, string>, now: Date): Record<string, string>
}

interface Changes {
  body?: string | Uint8Array
  /** Added after signing; `null` leaves a header out. */
  headers?: Record<string, string | null>
  settings?: Settings
  /** What the request is signed with, and when. */
  secret?: string
  at?: Date
}

/** Functions that send requests to one webhook, each valid except for the given changes. */
export async function openHook(hook: HookUnderTest) {
  const found = (await loadAdapters()).get(hook.slug)
  if (found === undefined) throw new Error(`there is no adapter ${hook.slug}`)
  const adapter = found
  const [current] = hook.secrets

  const signed = (body: string | Uint8Array, secret = current, at = fixtureTime) =>
    hook.sign(
      typeof body === 'string' ? body : new TextDecoder().decode(body),
      { [hook.setting]: secret },
      at,
    )

  function send({
    body = JSON.stringify(hook.fixture.body),
    headers,
    settings,
    secret,
    at,
  }: Changes = {}) {
    const all = { ...hook.fixture.headers, ...signed(body, secret, at), ...headers }
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null)
    const given = { [hook.setting]: current, ...hook.settings, ...settings }
    return runAdapter(adapter, post(Object.fromEntries(sent), body), given)
  }

  /** The one item that a request becomes, as ingest accepts it. */
  async function newsOf(changes: Changes) {
    const { outcome } = await send(changes)
    return v.parse(v.object({ items: v.tuple([IngestPayload]) }), outcome).items[0]
  }

  return { ...hook, adapter, signed, send, newsOf }
}

type OpenHook = Awaited<ReturnType<typeof openHook>>

/** Tests of every webhook that is signed: `header` contains the signature. */
export function testSignature(hook: OpenHook, header: string) {
  const body = JSON.stringify(hook.fixture.body)
  const [current, next, third] = hook.secrets
  const right = hook.signed(body)[header] ?? ''

  describe(`${hook.slug}: signature`, () => {
    test(`a ${hook.slug} request with a valid signature is accepted`, async () => {
      expect((await hook.send()).outcome).toHaveProperty('items')
    })

    test.each<[string, string | null]>([
      ['missing', null],
      ['empty', ''],
      ['truncated', right.slice(0, -1)],
      ['too long', `${right}0`],
      ['in upper case', right.replace(/[^=,]+=*$/, (value) => value.toUpperCase())],
      ['of another secret', hook.signed(body, third)[header] ?? ''],
      ['over another body', hook.signed(`${body} `)[header] ?? ''],
      [
        'over the same JSON written differently',
        hook.signed(JSON.stringify(hook.fixture.body, null, 2))[header] ?? '',
      ],
    ])(`a ${hook.slug} signature that is %s is refused`, async (_, value) => {
      expect((await hook.send({ headers: { [header]: value } })).outcome).toEqual({
        rejected: 401,
        reason: 'signature missing or wrong',
      })
    })

    test(`the signature of a ${hook.slug} request is checked before the body is parsed`, async () => {
      const { outcome } = await hook.send({ body: '{', secret: third })
      expect(outcome).toMatchObject({ rejected: 401 })
    })

    test(`a ${hook.slug} request with bytes that are not UTF-8 is refused`, async () => {
      const body = new Uint8Array([...new TextEncoder().encode('{"a":"'), 0xff, 0x22, 0x7d])
      expect((await hook.send({ body })).outcome).toMatchObject({ rejected: 401 })
    })

    test(`a ${hook.slug} request with an empty body is refused`, async () => {
      expect((await hook.send({ body: '' })).outcome).toHaveProperty('rejected')
    })

    test(`both ${hook.slug} secrets are accepted while one is being rotated, and no third`, async () => {
      const settings = { [hook.setting]: [next, current] }
      expect((await hook.send({ settings, secret: next })).outcome).toHaveProperty('items')
      expect((await hook.send({ settings, secret: current })).outcome).toHaveProperty('items')
      expect((await hook.send({ settings, secret: third })).outcome).toMatchObject({
        rejected: 401,
      })
    })
  })
}

/** Tests that a signed request that cannot be read is refused and that the reason repeats nothing of it. */
export function testUnreadable(hook: OpenHook, canary: { body: string; reason: string }) {
  test.each([
    ['invalid JSON', '{"action":'],
    ['JSON after a byte order mark', '\ufeff{}'],
    ['JSON nested without end', '['.repeat(200_000)],
    ['a list', '[]'],
    ['null', 'null'],
    ['an object of another shape', '{}'],
  ])(`a signed ${hook.slug} request that contains %s is refused`, async (_, body) => {
    expect((await hook.send({ body })).outcome).toHaveProperty('rejected')
  })

  test(`the reason for a refused ${hook.slug} request repeats nothing of it`, async () => {
    const { outcome } = await hook.send({ body: canary.body })
    expect(outcome).toEqual({ rejected: 400, reason: canary.reason })
  })
}

/** Tests that only the fields that are read are stored or shown; the request contains every leak. */
export function testLeaks(hook: OpenHook, { kept, leaks }: { kept: string; leaks: string[] }) {
  test(`only the fields that are read of a ${hook.slug} request are stored or shown`, async () => {
    const { stored, outcome } = await hook.send()
    const text = JSON.stringify([stored, outcome])
    expect(text).toContain(kept)
    for (const leak of leaks) {
      expect(JSON.stringify(hook.fixture.body)).toContain(leak)
      expect(text).not.toContain(leak)
    }
  })
}

/** Tests that hostile text in a title is harmless. `bodyWith` makes a body whose title comes from it. */
export function testHostileText(hook: OpenHook, bodyWith: (text: string) => object) {
  const titleOf = async (text: string) =>
    (await hook.newsOf({ body: JSON.stringify(bodyWith(text)) })).title

  test.each([
    ['line breaks', 'One\r\nBcc: all@example.test\u2028two', 'One Bcc: all@example.test two'],
    ['NUL, escapes and turned writing', 'a\0b\u001b[2J\u202ec', 'ab[2Jc'],
    ['half a surrogate pair', 'a\ud800', 'a\ufffd'],
    ['markup', '<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['emoji and writing from the right', '🌊 مرحبا', '🌊 مرحبا'],
  ])(`a ${hook.slug} title with %s is shown as text`, async (_, text, shown) => {
    expect((await titleOf(text)).toLowerCase()).toContain(shown.toLowerCase())
  })

  test(`a ${hook.slug} title of 300 characters is cut to at most 255`, async () => {
    expect([...(await titleOf('👩‍🚀'.repeat(100)))].length).toBeLessThanOrEqual(255)
  })

  test(`a stored ${hook.slug} event contains no character that PostgreSQL cannot store`, async () => {
    const { stored } = await hook.send({ body: JSON.stringify(bodyWith('a\0b\udfff')) })
    expect(JSON.stringify(stored)).toContain('ab\ufffd')
  })
}
