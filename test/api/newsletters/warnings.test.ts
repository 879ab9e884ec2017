import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { client, startApp, type TestApp } from '../../support/app.ts'

let app: TestApp
let call: ReturnType<typeof client>
beforeAll(async () => {
  app = await startApp()
  call = client(app.base, await app.key(await app.team(), ['read', 'write']))
})
afterAll(() => app.close())

const lossy = '<p>Fix: i<p and q>3 crash</p>'

describe('removed words', () => {
  test('words that sanitizing removes from new and changed content blocks are named in warnings', async () => {
    const made = await call('POST', '/content_blocks', { title: 't', body: lossy })
    expect(made.json.warnings).toEqual([expect.stringContaining('body contains words')])
    const path = `/content_blocks/${made.json.content_block.id}`
    const changed = await call('PATCH', path, { body: '<p>a</p><textarea>words</textarea>' })
    expect(changed.json.warnings).toEqual(['body contains text in <textarea>, which was removed'])
    const kept = await call('PATCH', path, { body: lossy, body_format: 'text' })
    expect(kept.json).not.toHaveProperty('warnings')
    expect(kept.json.content_block.body).toBe(lossy)
  })

  test('words that sanitizing removes from the texts of a newsletter are named in warnings', async () => {
    const made = await call('POST', '/newsletters', { title: 't', intro: lossy })
    expect(made.json.warnings).toEqual([
      'intro contains words that look like HTML and were removed: and, q; write &lt; for < to keep them',
    ])
    const path = `/newsletters/${made.json.newsletter.id}`
    const { json } = await call('PATCH', path, { closing: '<p>The <script> tag</p>' })
    expect(json.warnings).toEqual(['closing contains text in <script>, which was removed'])
    expect((await call('PATCH', path, { title: 'u' })).json).not.toHaveProperty('warnings')
  })

  test('words that sanitizing removes from callouts are named in warnings', async () => {
    const { json } = await call('POST', '/newsletters', { title: 't' })
    const path = `/newsletters/${json.newsletter.id}/elements`
    const made = await call('POST', path, { type: 'callout', body: lossy })
    expect(made.json.warnings).toEqual([expect.stringContaining('body contains words')])
    const changed = await call('PATCH', `${path}/${made.json.element.id}`, { body: lossy })
    expect(changed.json.warnings).toEqual(made.json.warnings)
  })
})

test('addresses without a scheme are removed and named, because they lead nowhere in an email', async () => {
  const body =
    '<p><a href="/handbook">a</a> <a href="https://acme.example/b">b</a> <a href="#c">c</a><img src="d.png"></p>'
  const { json } = await call('POST', '/webhooks/ingest', { title: 't', body })
  expect(json.content_block.body).toBe(
    '<p><a>a</a> <a href="https://acme.example/b">b</a> <a>c</a></p>',
  )
  expect(json.warnings).toEqual([
    'body contains addresses that lead nowhere in an email and were removed: /handbook, #c, d.png; start them with https://',
  ])
})

test('embedded pages, videos and sounds are removed and named, because emails do not show them', async () => {
  const video = '<iframe src="https://videos.acme.example/1" allowfullscreen>Watch it</iframe>'
  const sound = '<audio src="clip.mp3" controls></audio>'
  const { json } = await call('POST', '/webhooks/ingest', {
    title: 't',
    body: `<p>Our talk</p>${video}${sound}`,
  })
  expect(json.content_block.body).toBe('<p>Our talk</p>')
  expect(json.warnings).toEqual([
    'body contains <iframe>, <audio>, which emails do not show, so it was removed; write a link instead',
  ])
})

describe('words that look like tags', () => {
  test.each([
    'The <title> tag is missing on the start page.',
    'Press <kbd> and wait.',
    'We moved from List<String> to Vec<b>.',
    'An arrow --> is not a comment, and <!-- is none either.',
  ])('text with one word that looks like a tag is kept as it is: %s', async (body) => {
    for (const path of ['/content_blocks', '/webhooks/ingest']) {
      const { json } = await call('POST', path, { title: 't', body })
      expect(json.content_block).toMatchObject({ body, body_format: 'text' })
    }
  })
})

describe('unknown parameters', () => {
  test('a parameter that a request for a single resource does not have is reported in `warnings`', async () => {
    const { json } = await call('POST', '/content_blocks?dryrun=true', { title: 't', body: 'b' })
    const warning = (name: string) => `the parameter ${name} is unknown and was ignored`
    expect(json.warnings).toEqual([warning('dryrun')])
    const path = `/content_blocks/${json.content_block.id}`
    expect((await call('GET', `${path}?fields=id`)).json.warnings).toEqual([warning('fields')])
    expect((await call('GET', path)).json).not.toHaveProperty('warnings')
    expect((await call('PATCH', `${path}?x=1`, { event_slug: 'unknown' })).json.warnings).toEqual([
      warning('x'),
      expect.stringContaining('event_slug "unknown"'),
    ])
    for (const other of ['/team', '/ping', '/connections', '/templates/clean']) {
      expect((await call('GET', `${other}?page=2`)).json.warnings).toEqual([warning('page')])
    }
    expect((await call('DELETE', `${path}?x=1`)).status).toBe(204)
  })

  test('a parameter that a request for a list does not have is reported with the nearest name of a parameter or a field', async () => {
    const { json } = await call(
      'GET',
      '/content_blocks?stauts=draft&type=poll&fields=titel,crated_at',
    )
    expect(json.meta.warnings).toEqual([
      'the parameter stauts is unknown and was ignored; did you mean status?',
      'the parameter type is unknown and was ignored; did you mean block_type?',
      'the field titel is unknown and was ignored; did you mean title?',
      'the field crated_at is unknown and was ignored; did you mean created_at?',
    ])
  })
})
