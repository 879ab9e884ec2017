import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { adapter } from '../../integrations/confluence/adapter.ts'
import created from '../../integrations/confluence/fixtures/blog_created.json'
import settings from '../../integrations/confluence/fixtures/settings.json'
import { fetch as confluence, sign } from '../../integrations/confluence/fixtures/sign.ts'
import { IngestPayload } from '../../src/contract/blocks/ingest.ts'
import { itemsOf, post, runAdapter } from '../support/adapters.ts'
import { growthOf, maxLinearGrowth } from '../support/growth.ts'

const json = JSON.stringify(created.body)
const signatureOf = (body: string, secret = settings.secret) => sign(body, { secret })

const send = (
  body: string,
  headers: Record<string, string> = signatureOf(body),
  given: object = {},
  fetch: typeof confluence = confluence,
) => runAdapter(adapter, post(headers, body), { ...settings, ...given }, { provider: { fetch } })

describe('Confluence: signature', () => {
  const { 'x-hub-signature': right } = signatureOf(json)

  test.each<[string, Record<string, string>]>([
    ['without a signature', {}],
    ['with an empty signature', { 'x-hub-signature': '' }],
    ['with a truncated signature', { 'x-hub-signature': right.slice(0, -1) }],
    ['with a signature in upper case', { 'x-hub-signature': right.toUpperCase() }],
    ['with a signature without its algorithm', { 'x-hub-signature': right.slice(7) }],
    ['signed with another secret', signatureOf(json, 'another')],
    ['signed over another body', signatureOf(`${json} `)],
  ])('a Confluence request %s is refused', async (_, headers) => {
    expect((await send(json, headers)).outcome).toEqual({
      rejected: 401,
      reason: 'signature missing or wrong',
    })
  })

  test('both Confluence secrets are accepted while one is being rotated, and no third', async () => {
    const given = { secret: ['next', settings.secret] }
    const outcomes = ['next', settings.secret, 'third'].map(
      async (secret) => (await send(json, signatureOf(json, secret), given)).received.kind,
    )
    expect(await Promise.all(outcomes)).toEqual(['event', 'event', 'rejected'])
  })

  test.each([
    '{',
    '[]',
    '{}',
    '{"event":"blog_created","timestamp":1}',
    '{"event":"blog_created","timestamp":1,"blog":{"id":"../canary"}}',
    '{"event":"canary event","timestamp":1}',
  ])('a signed Confluence request that contains %s gets 400 without a word of it', async (body) => {
    const { outcome } = await send(body)
    expect(outcome).toMatchObject({ rejected: 400 })
    expect(JSON.stringify(outcome)).not.toContain('canary')
  })
})

describe('Confluence: blog posts', () => {
  /** Sends the event of a blog post with this HTML. */
  const sendPost = (value: string) =>
    send(json, undefined, {}, async (url, init) => {
      const response = await confluence(url, init)
      const found = v.parse(v.looseObject({}), await response.json())
      return Response.json('body' in found ? { ...found, body: { view: { value } } } : found)
    })

  test('the time to read a blog post whose element has thousands of classes grows with their number only', async () => {
    const html = (size: number) =>
      `<div class="${'toc-macro '.repeat(size)}">${'a '.repeat(size)}<div>`
    const growth = await growthOf((size) => sendPost(html(size)), 500)
    expect(growth).toBeLessThan(maxLinearGrowth)
  })

  const office = '<p>We open on 1 December.</p>'
  test.each([
    ['repeats its title', `<p>A new lighthouse</p>${office}`, office],
    [
      'begins with a picture',
      `<p><span class="confluence-embedded-file-wrapper"><img src="/x.png"></span></p>${office}`,
      office,
    ],
    [
      'has a collapsed part',
      `<div class="expand-container"><div class="expand-control"><span class="expand-control-icon"></span><span class="expand-control-text">Click here to expand...</span></div><div class="expand-content">${office}</div></div>`,
      `<div><div>${office}</div></div>`,
    ],
  ])('a blog post that %s is read without that', async (_, value, expected) => {
    const [item] = itemsOf((await sendPost(value)).outcome)
    expect(v.parse(IngestPayload, item).body.replaceAll(/ class="[^"]*"/g, '')).toBe(expected)
  })

  test('only the id of a blog post is stored, and names of accounts are not in its item', async () => {
    const { stored, outcome } = await send(json)
    expect(stored).toEqual({ action: 'created', id: '234567' })
    expect(JSON.stringify(outcome)).toContain('Ines Aker')
    expect(JSON.stringify([stored, outcome]).toLowerCase()).not.toContain('canary')
  })

  test('a repeated Confluence request is the same delivery, and a later change is another one', async () => {
    const [first, again] = [await send(json), await send(json)]
    const later = await send(JSON.stringify({ ...created.body, timestamp: 1795080099999 }))
    expect(again.deliveryId).toBe(first.deliveryId ?? '')
    expect(later.deliveryId).not.toBe(first.deliveryId ?? '')
  })

  test('a blog post is not read before it is known that everybody may read it', async () => {
    const paths: string[] = []
    const body = JSON.stringify({ ...created.body, blog: { id: 234568 } })
    const { outcome } = await send(body, signatureOf(body), {}, (url, init) => {
      paths.push(new URL(url).pathname)
      return confluence(url, init)
    })
    expect(outcome).toEqual({ ignored: 'only some people may read the blog post' })
    expect(paths).toEqual(['/confluence/rest/api/content/234568/restriction/byOperation/read'])
  })

  test.each([
    [401, 'refused', 'Check access_token'],
    [403, 'refused', 'Check access_token'],
    [429, 'rate_limited', 'limits our requests'],
    [500, 'unavailable', 'answered 500'],
  ] as const)(
    'when Confluence answers %d, the delivery waits with the reason',
    async (status, problem, message) => {
      const failed = send(
        json,
        signatureOf(json),
        {},
        async () => new Response('canary', { status }),
      )
      await expect(failed).rejects.toMatchObject({
        problem,
        message: expect.stringContaining(message),
      })
    },
  )

  test('a long blog post is shortened to its first paragraphs', async () => {
    const html = '<p>A paragraph about the harbour.</p>'.repeat(500)
    const { outcome } = await send(json, signatureOf(json), {}, async (url, init) => {
      const response = await confluence(url, init)
      if (url.toString().includes('restriction')) return response
      const found = v.parse(v.looseObject({}), await response.json())
      return Response.json({ ...found, body: { view: { value: html } } })
    })
    const [item] = 'items' in outcome ? outcome.items : []
    expect(item?.body).toStartWith('<p>A paragraph about the harbour.</p>')
    expect(item?.body?.length).toBeLessThan(6_000)
  })

  test('a long blog post keeps its lists, quotes, links and bold words, and its open elements are closed', async () => {
    const start =
      '<p>See <a href="https://x.example/">the <strong>plan</strong></a>.</p><ul><li>One</li><li>Two</li></ul><blockquote><p>Quote</p></blockquote><hr/><ol><li>First</li></ol>'
    const long = `<p>${'It goes on. '.repeat(200)}</p>`
    const { outcome } = await sendPost(
      `<div class="columnLayout"><div>${start}${long}<h2>The end</h2>${long}</div></div>`,
    )
    const [item] = itemsOf(outcome).map((one) => v.parse(IngestPayload, one))
    expect(item?.body).toBe(`<div class="columnLayout"><div>${start}${long}</div></div>`)
  })

  test('the cells of a long table of Confluence that does not fit are separate words', async () => {
    const long = 'It goes on. '.repeat(500)
    const { outcome } = await sendPost(
      `<table><tbody><tr><td>Ann</td><td>Bob ${long}</td></tr></tbody></table>`,
    )
    const [item] = itemsOf(outcome).map((one) => v.parse(IngestPayload, one))
    expect(item?.body).toStartWith('<p>Ann Bob It goes on.')
  })

  test.each(['<div>', '<p>', '</p>', '<p>a', '<p>a</p>', '<div><p>a</p>', '<a href="', '&amp;'])(
    'a long blog post of %s is shortened in time that grows with its length',
    async (unit) => {
      const growth = await growthOf((size) => sendPost(unit.repeat(size)), 2_000)
      expect(growth).toBeLessThan(maxLinearGrowth)
    },
  )
})

test('relative links of a Confluence blog post are whole, and a mention is a name', async () => {
  const html =
    '<p>See <a href="/confluence/display/NEWS/Plan?a=1&amp;b=2">the plan</a> of <a class="confluence-userlink user-mention" data-username="canary" href="/confluence/display/~bo">Bo Weld</a>.</p>'
  const changed: typeof confluence = async (url, init) => {
    const found = Object(await (await confluence(url, init)).json())
    return Response.json('title' in found ? { ...found, body: { view: { value: html } } } : found)
  }
  const { outcome } = await send(json, signatureOf(json), {}, changed)
  const link = 'https://wiki.marlowe-ferries.example/confluence/display/NEWS/Plan?a=1&amp;b=2'
  expect(outcome).toMatchObject({
    items: [{ body: `<p>See <a href="${link}">the plan</a> of Bo Weld.</p>` }],
  })
})

test('a blog post of Confluence repeats neither its title nor its link, and has no table of contents', async () => {
  const link = 'https://wiki.marlowe-ferries.example/confluence/display/NEWS/2026/11/19/234567'
  const html = `<p class="auto-cursor-target"><br/></p><h1>Q3 in numbers</h1><div class="toc-macro x"><ul><li><a href="#a">Jump</a></li></ul></div><p>We grew by <strong>18&nbsp;%</strong>.</p><p>Read more: <a href="${link}">${link}</a></p>`
  const changed: typeof confluence = async (url, init) => {
    const found = Object(await (await confluence(url, init)).json())
    const title = 'NEWS-12: Q3 in numbers 📈'
    const body = { view: { value: html, representation: 'storage' } }
    return Response.json('title' in found ? { ...found, title, body } : found)
  }
  const { outcome } = await send(json, signatureOf(json), {}, changed)
  expect(outcome).toMatchObject({
    items: [{ title: 'Q3 in numbers 📈', body: '<p>We grew by <strong>18&nbsp;%</strong>.</p>' }],
  })
})
