import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { simpleParser } from 'mailparser'
import type { Team } from '../../../src/features/teams/index.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { type Person, person, signedIn } from '../../support/console.ts'
import { activeContentOf } from '../../support/hostile/active-content.ts'
import { xssVectors } from '../../support/hostile/xss-vectors.ts'
import {
  blockOf,
  type Call,
  newsletterOf,
  send,
  unlimitedClient,
} from '../../support/newsletters.ts'
import { sample } from '../../support/properties.ts'
import { until } from '../../support/until.ts'

let app: TestApp
let team: Team
let call: Call
let editor: Awaited<ReturnType<typeof signedIn>>
let admin: Person
let feed: string
/** The HTML of the emails that were sent. */
const previews: string[] = []
beforeAll(async () => {
  app = await startApp({ mail: { send: async ({ html }) => void previews.push(html) } })
  team = await app.team()
  call = await unlimitedClient(app, team)
  editor = await signedIn(app, team, 'editor')
  await call('PATCH', '/team', { archive: 'link' })
  admin = await signedIn(app, team, 'admin')
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

/** Checks the files that people export, and the email of a preview. */
async function expectHarmlessFiles(path: string): Promise<void> {
  const { html: raw } = await editor.get(`${path}/eml`)
  const mail = await simpleParser(raw)
  expect(mail.from?.value.map(({ address }) => address)).toEqual([editor.email])
  expect([mail.to, mail.cc, mail.bcc, mail.attachments]).toEqual([
    ...[undefined, undefined, undefined],
    [],
  ])
  expect(mail.text).toContain('end')
  const before = previews.length
  await editor.post(`${path}/preview`)
  await until(async () => previews.length > before)
  const exported = ['html', 'html?file', 'html?copy'].map((file) => editor.get(`${path}/${file}`))
  const pages = (await Promise.all(exported)).map(({ html }) => html)
  for (const html of [mail.html || '', previews.at(-1) ?? '', ...pages]) {
    expect(html).toContain('end')
    expect(activeContentOf(html)).toEqual([])
  }
}

test('the check of these tests finds every kind of script in a page', () => {
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

describe.each(['html', 'text', 'markdown'])('Hostile content as %s', (format) => {
  test(`hostile content as ${format} is only text in the API, in previews, in the console, in the archive and in its feed`, async () => {
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
      await expectHarmlessFiles(path)
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
    await call('POST', `${path}/elements`, { type: 'section', heading: line })
    const options = [{ label: line.slice(0, 100), url: 'https://a.example/' }]
    await call('POST', `${path}/elements`, { type: 'poll', heading: line, options })
    const { preview } = (await call('GET', `${path}/preview`)).json
    expect(activeContentOf(preview.html)).toEqual([])
    expect(activeContentOf((await editor.get(path)).html)).toEqual([])
  }
})

test('hostile comments, names of filters, events, templates and members are only text', async () => {
  const block = await blockOf(call, { title: 'Discussed' })
  const lines = [...new Set(sample(xssVectors, 8).map((vector) => oneLine(vector).slice(0, 60)))]
  for (const [at, line] of lines.entries()) {
    await editor.post(`/library/${block}/comments`, { body: `@${line}` })
    await editor.post('/library/filters', { name: line, path: `/library?q=${line}` })
    if (at >= 20) continue
    const event = { name: line, event_date: '2027-05-01', category: 'corporate', slug: `day-${at}` }
    await editor.post('/events', event)
    const sections = [{ title: line, block_types: ['general'] }]
    const template = { slug: `t-${at}`, name: line, description: line, base: 'clean', sections }
    expect((await call('POST', '/templates', template)).status).toBe(201)
    await admin.post('/settings/members', {
      email: `m${at}@people.test`,
      name: line,
      role: 'viewer',
    })
  }
  const pages = [
    ...[`/library/${block}`, '/events?from=2027-05-01', '/settings/templates'],
    ...['/settings/templates/t-0/edit', '/settings/members', '/search?q=pwned'],
    '/settings/audit?action=template_created',
  ]
  for (const page of pages) {
    const { html } = await admin.get(page)
    expect([page, html.includes('pwned'), activeContentOf(html)]).toEqual([page, true, []])
  }
  const { html: templates } = await admin.get('/settings/templates')
  const frames = [...templates.matchAll(/<iframe[^>]* src="([^"]*pwned[^"]*)"/g)]
  for (const [, path = ''] of frames.slice(0, 5)) {
    const frame = await admin.get(path.replaceAll('&amp;', '&'))
    expect([frame.status, activeContentOf(frame.html)]).toEqual([200, []])
  }
  expect(frames.length).toBeGreaterThan(5)
  const { html } = await editor.get('/library')
  expect([html.includes('pwned'), activeContentOf(html)]).toEqual([true, []])
})
