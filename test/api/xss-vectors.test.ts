import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Team } from '../../src/features/teams/index.ts'
import { activeContentOf } from '../support/active-content.ts'
import { client, startApp, type TestApp } from '../support/app.ts'
import { type Person, person, signedIn } from '../support/console.ts'
import { type Call, newsletterOf, send, workerOf } from '../support/newsletters.ts'
import { sample } from '../support/properties.ts'
import { xssVectors } from '../support/xss-vectors.ts'

let app: TestApp
let team: Team
let call: Call
let editor: Person
let feed: string
beforeAll(async () => {
  app = await startApp()
  team = await app.team()
  call = await workerOf(app, team)
  editor = await signedIn(app, team, 'editor')
  await call('PATCH', '/team', { archive: 'link' })
  const admin = await signedIn(app, team, 'admin')
  await admin.post('/settings/archive/feed')
  const { html } = await admin.get('/settings/archive')
  feed = new URL(/id="feed" value="([^"]+)"/.exec(html)?.[1] ?? '').pathname
})
afterAll(() => app.close())

const oneLine = (text: string) => text.replaceAll(/\p{Cc}/gu, ' ').slice(0, 255)

/** Ingests a block for each vector, and puts them into newsletters. Gives the paths of these. */
async function newslettersWith(body_format: string): Promise<string[]> {
  // Markdown becomes HTML, and plain text is escaped as a whole: a part of the vectors is enough.
  const vectors = sample(xssVectors, body_format === 'html' ? 1 : 4)
  const items = vectors.map((vector) => ({
    title: oneLine(vector),
    body: `start\n\n${vector}\n\nend`,
    body_format,
    auto_ready: true,
    author: oneLine(vector),
    image_alt: oneLine(vector),
  }))
  const paths: string[] = []
  for (let at = 0; at < items.length; at += 50) {
    // A key for each request, because every item counts against the rate limit.
    const post = client(app.base, await app.key(team, ['write']))
    const bulk = await post('POST', '/webhooks/ingest/bulk', { items: items.slice(at, at + 50) })
    expect(bulk.json.meta).toMatchObject({ failed: 0 })
    const path = await newsletterOf(call, [], { title: oneLine(vectors[at] ?? '') })
    await call('POST', `${path}/compose`)
    paths.push(path)
  }
  return paths
}

test('the check of a page finds what runs', () => {
  expect(activeContentOf('<p>pwned</p><a href="https://a.example">pwned</a>')).toEqual([])
  for (const active of [
    ...[
      '<script>pwned(1)</script>',
      '<img src=x onerror=pwned(1)>',
      '<a href=javascript:pwned(1)>',
    ],
    ...['<iframe srcdoc="<b onclick=pwned(1)>">', '<p style="x:pwned">', '<p hx-get=/pwned>'],
    '<form action=https://evil.example/pwned>',
  ]) {
    expect([active, activeContentOf(active).length]).toEqual([active, 1])
  }
  expect(xssVectors.length).toBeGreaterThan(257)
})

describe.each(['html', 'text', 'markdown'])('hostile content as %s', (format) => {
  test('is only text in the API, in previews, in the console, in the archive and in its feed', async () => {
    const paths = await newslettersWith(format)
    const { json } = await call('GET', '/content_blocks?per_page=100')
    for (const { body, body_format } of json.content_blocks) {
      expect(body_format === 'html' ? activeContentOf(body) : []).toEqual([])
    }
    const archive = (await call('GET', '/team')).json.team.archive_url
    const readers = person(app.base)
    for (const path of paths) {
      const { preview } = (await call('GET', `${path}/preview`)).json
      expect(activeContentOf(preview.html)).toEqual([])
      expect(activeContentOf((await editor.get(path)).html)).toEqual([])
      await send(call, path)
      const page = new URL((await call('GET', path)).json.newsletter.archive_url).pathname
      expect(activeContentOf((await readers.get(page)).html)).toEqual([])
    }
    const block = `/library/${json.content_blocks[0].id}`
    const pages = ['/library', block, `${block}/html`, '/newsletters']
    for (const page of pages) expect(activeContentOf((await editor.get(page)).html)).toEqual([])
    const list = await readers.get(new URL(archive).pathname)
    expect(activeContentOf(list.html)).toEqual([])
    const { html: xml } = await readers.get(feed)
    expect(xml).toStartWith('<?xml')
    // Whatever people wrote is escaped once; `&lt;` in a summary is text.
    const names = [...xml.matchAll(/<\/?([a-zA-Z!][\w:-]*)/g)].map(([, name]) => name ?? '')
    expect(names.filter((name) => /img|script|svg|iframe|body|^p$|^a$|div/i.test(name))).toEqual([])
  })
})

test('hostile texts of newsletters, callouts and polls are only text', async () => {
  for (let at = 0; at < xssVectors.length; at += 40) {
    const some = xssVectors.slice(at, at + 40)
    const html = `<p>end</p>${some.map((vector) => `<div>${vector}</div>`).join('')}`.slice(0, 8000)
    const [line = ''] = some.map(oneLine)
    const path = await newsletterOf(call, [], {
      title: line,
      subject_line: line,
      preheader_text: line,
      intro: html,
      closing: html,
      cover_image_alt: line,
    })
    await call('POST', `${path}/elements`, { type: 'callout', heading: line, body: html })
    const options = [{ label: line.slice(0, 100), url: 'https://a.example/' }]
    await call('POST', `${path}/elements`, { type: 'poll', heading: line, options })
    const { preview } = (await call('GET', `${path}/preview`)).json
    expect(activeContentOf(preview.html)).toEqual([])
    expect(activeContentOf((await editor.get(path)).html)).toEqual([])
  }
})
