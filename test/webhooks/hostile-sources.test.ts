import { expect, test } from 'bun:test'
import { adapter as feed } from '../../integrations/feed/adapter.ts'
import { adapter as icalendar } from '../../integrations/icalendar/adapter.ts'
import { connectSource, startPollingApp } from '../support/sources.ts'

const hourMs = 3_600_000

const { app, source, now, passHours } = await startPollingApp(
  [feed, icalendar],
  'application/rss+xml',
)

const text = 'Münze für Österreich'
const rss = (items: string, declaration = '') =>
  `${declaration}<rss version="2.0"><channel><title>Blog</title>${items}</channel></rss>`
const item = (title: string, more = '', id = title) =>
  `<item><guid isPermaLink="false">${id}</guid><title>${title}</title>${more}</item>`
const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>`
const inFiveDays = () =>
  new Date(now().getTime() + 5 * 24 * hourMs).toISOString().slice(0, 10).replaceAll('-', '')
const calendar = (title: string) =>
  [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:1',
    `SUMMARY:${title}`,
    `DTSTART;VALUE=DATE:${inFiveDays()}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n')

const utf16 = (document: string) => Buffer.from(document, 'utf16le')
const bigEndian = (document: string) => utf16(document).swap16()
const latin1 = (document: string) => Buffer.from(document, 'latin1')
/** A document in UTF-8 with one byte that is in no character. */
const broken = (document: string) => {
  const [start = '', end = ''] = document.split('¿')
  return Buffer.concat([Buffer.from(start), Buffer.from([0xff]), Buffer.from(end)])
}
/** Lines end in the middle of `ü`, `Ö` and of an emoji, as RFC 5545 allows it. */
const folded = (document: string) =>
  latin1(
    Buffer.from(document)
      .toString('latin1')
      .replaceAll(/(?<=[\xc3\xf0\x9f])(?=[\x80-\xbf])/g, '\r\n '),
  )

const readOnce = (contentType: string, body: Uint8Array | string) => {
  source.respond = async () => new Response(body, { headers: { 'content-type': contentType } })
}

const xml = 'application/rss+xml'
test.each<[string, string, Uint8Array | string]>([
  ['is UTF-16 without a mark', xml, utf16(rss(item(text), declared('UTF-16')))],
  ['is big-endian UTF-16 without a mark', xml, bigEndian(rss(item(text), declared('UTF-16')))],
  ['is UTF-8 and says that it is UTF-16', xml, rss(item(text), declared('utf-16'))],
  ['is UTF-8, and whose server says UTF-16', `${xml}; charset=utf-16`, rss(item(text))],
  ['is Latin-1 and says that it is UTF-8', xml, latin1(rss(item(text), declared('utf-8')))],
  ['is Latin-1, and whose server says UTF-8', `${xml}; charset=utf-8`, latin1(rss(item(text)))],
  ['is UTF-8 with one broken byte', xml, broken(rss(`${item(text)}<x>¿</x>`))],
])('the text of a feed that %s is read', async (_, contentType, body) => {
  readOnce(contentType, body)
  const blog = await connectSource(app, feed, { url: `${source.url}/feed` })
  await blog.poll()
  expect(await blog.titles()).toEqual([text])
})

test.each<[string, Uint8Array]>([
  ['is UTF-16 without a mark', utf16(calendar(`${text} 🎉`))],
  ['has lines that end within characters', folded(calendar(`${text} 🎉`))],
])('the text of a calendar that %s is read', async (_, body) => {
  readOnce('text/calendar; charset=utf-8', body)
  const dates = await connectSource(app, icalendar, { url: `${source.url}/c.ics` })
  await dates.poll()
  expect(await dates.titles()).toEqual([`${text} 🎉`])
})

test('a server that answers “not modified” to a first request has not been read', async () => {
  source.respond = async () => new Response(null, { status: 304 })
  const blog = await connectSource(app, feed, { url: `${source.url}/feed` })
  await blog.poll()
  const [row] = await app.sql`select reason from polled_sources where connection_id = ${blog.id}`
  expect(row?.['reason']).toContain('304')
})

test('an entry whose text is only a video is saved with its title', async () => {
  const video =
    '<content:encoded>&lt;iframe src="https://v.example/1"&gt;&lt;/iframe&gt;</content:encoded>'
  source.respond = async () => rss(item('The launch as a video', video))
  const blog = await connectSource(app, feed, { url: `${source.url}/feed`, text: 'full' })
  await blog.poll()
  expect(await blog.titles()).toEqual(['The launch as a video'])
})

test('entries whose ids change with every request are saved once', async () => {
  let requests = 0
  const entry = (title: string) =>
    item(title, `<link>https://blog.example/${title}</link>`, `${title}-${requests}`)
  let titles = ['First']
  source.respond = async () => {
    requests += 1
    return rss(titles.map(entry).join(''))
  }
  const blog = await connectSource(app, feed, { url: `${source.url}/feed` })
  for (titles of [['First'], ['First'], ['Second', 'First'], ['Second', 'First'], ['Second']]) {
    await blog.poll()
    passHours(2)
  }
  expect(requests).toBe(5)
  expect(await blog.titles()).toEqual(['First', 'Second'])
})

test('while a large document of elements inside each other is read, the event loop goes on, and its newest entry is saved', async () => {
  const deep = Bun.escapeHTML('<div>'.repeat(8_000))
  const entry = (at: number) => item(`Entry ${at}`, `<description>${deep}</description>`)
  source.respond = async () => rss(Array.from({ length: 30 }, (_, at) => entry(at)).join(''))
  const blog = await connectSource(app, feed, { url: `${source.url}/feed` })
  const { readDocument } = app.forwarder
  const settings = { url: `${source.url}/feed`, text: 'summary' }
  const document = {
    bytes: await (await fetch(settings.url)).bytes(),
    contentType: xml,
    address: settings.url,
  }
  let turns = 0
  let isRead = false
  const reading = readDocument('feed', document, { settings, now: now(), idPrefix: '' }).finally(
    () => {
      isRead = true
    },
  )
  while (!isRead && turns < 1_000) {
    turns++
    await new Promise(setImmediate)
  }
  expect(await reading).toHaveLength(30)
  // None or one, if it were read in the thread of the process.
  expect(turns).toBeGreaterThan(20)
  await blog.poll()
  expect(await blog.titles()).toEqual(['Entry 0'])
})
