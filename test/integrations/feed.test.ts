import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { readFeed } from '../../integrations/feed/feed.ts'
import { Settings } from '../../integrations/feed/settings.ts'
import { growthOf, maxLinearGrowth } from '../support/growth.ts'

const url = new URL('https://blog.example/feed')
const settings = v.parse(Settings, { url: url.href })

const read = (document: string | Uint8Array, contentType = '', given: object = {}) =>
  readFeed(
    typeof document === 'string' ? new TextEncoder().encode(document) : document,
    { contentType, url },
    { ...settings, ...given },
  )
const events = (...given: Parameters<typeof read>) =>
  (read(...given) ?? []).map(({ event }) => event)

const rss = (item: string) => `<rss version="2.0"><channel><item>${item}</item></channel></rss>`

describe('RSS and Atom: what is read', () => {
  test.each<[string, string, Uint8Array]>([
    ['ISO-8859-1 in its declaration', '', latin('<?xml version="1.0" encoding="ISO-8859-1"?>')],
    ['ISO-8859-1 in its content type', 'text/xml; charset=iso-8859-1', latin('')],
    ['no declared encoding and no UTF-8', 'text/xml', latin('')],
    ['an encoding that nobody knows', 'text/xml; charset=x-none', latin('')],
    ['UTF-16 with a byte order mark', 'text/xml', utf16()],
  ])('a feed with %s is read with its letters', (_, contentType, bytes) => {
    expect(events(bytes, contentType)).toMatchObject([{ title: 'Fähre über den Sund' }])
  })

  test('an entry with twenty thousand elements inside each other hides no other entry', () => {
    const entry = (id: string, description: string) =>
      `<item><guid>${id}</guid><title>Entry ${id}</title><description>${Bun.escapeHTML(description)}</description></item>`
    const deep = entry('1', '<div>'.repeat(20_000))
    const found = events(`<rss version="2.0"><channel>${deep}${entry('2', 'x')}</channel></rss>`)
    expect(found.map(({ title }) => title)).toEqual(['Entry 1', 'Entry 2'])
  })

  test('the text of a feed in Shift_JIS is read', () => {
    const bytes = Buffer.concat([
      Buffer.from('<?xml version="1.0" encoding="Shift_JIS"?><rss><item><guid>1</guid><title>'),
      Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
      Buffer.from('</title></item></rss>'),
    ])
    expect(events(bytes)).toMatchObject([{ title: '日本' }])
  })

  test('entries are sorted by their time, the newest first, and are read once each', () => {
    const item = (guid: string, day: number) =>
      `<item><guid>${guid}</guid><title>${guid}</title><pubDate>${day} Nov 2026 09:00:00 GMT</pubDate></item>`
    const document = `<rss><channel>${item('old', 1)}${item('new', 18)}${item('old', 1)}</channel></rss>`
    expect(events(document).map(({ id }) => id)).toEqual(['new', 'old'])
  })

  test('the newest entries of a feed with ten thousand are read, also when it begins with the oldest', () => {
    const items = Array.from({ length: 10_000 }, (_, at) => {
      const time = new Date(Date.UTC(2000, 0, 1 + at)).toUTCString()
      return `<item><guid>${at}</guid><title>n</title><pubDate>${time}</pubDate></item>`
    })
    const found = events(`<rss><channel>${items.join('')}</channel></rss>`)
    expect([found.length, found[0]?.id, found.at(-1)?.id]).toEqual([100, '9999', '9900'])
  })

  test('an entry without a time comes after those with one, and a time with the name of a day in any language is read', () => {
    const item = (guid: string, time: string) =>
      `<item><guid>${guid}</guid><title>${guid}</title><pubDate>${time}</pubDate></item>`
    const items = [
      item('old', 'So, 01 Nov 2026 09:00:00 +0100'),
      item('undated', ''),
      item('new', 'Mo, 23 Nov 2026 09:00:00 +0100'),
    ]
    const found = events(`<rss><channel>${items.join('')}</channel></rss>`)
    expect(found.map(({ id }) => id)).toEqual(['new', 'old', 'undated'])
  })

  test('an entry with neither an id nor a link is known by its title and its time', () => {
    const item = (title: string, day: number) =>
      `<item><title>${title}</title><pubDate>${day} Nov 2026 09:00:00 GMT</pubDate></item>`
    const ids = (...items: string[]) =>
      events(`<rss><channel>${items.join('')}</channel></rss>`).map(({ id }) => id)
    const [first, second] = ids(item('A', 2), item('A', 1))
    expect(first).not.toBe(second)
    expect(ids(item('B', 3), item('A', 2))[1]).toBe(first ?? '')
  })

  test('the last entry of a document that was cut off is not read before it is whole', () => {
    const whole = `<rss><channel><item><guid>1</guid><title>One</title></item><item><guid>2</guid><title>Two and more</title></item></channel></rss>`
    const cut = whole.slice(0, whole.indexOf(' and more'))
    expect(events(cut).map(({ title }) => title)).toEqual(['One'])
    expect(events(whole).map(({ title }) => title)).toEqual(['One', 'Two and more'])
  })

  test('relative addresses are relative to xml:base, and those in a whole text to its page', () => {
    const [entry] = events(
      `<feed xml:base="https://other.example/blog/"><entry xml:base="2026/"><id>1</id><title>x</title><link href="post"/><content type="html">&lt;p>&lt;a href="../z?a=1&amp;amp;b=2">z&lt;/a> &lt;a href="https://a.example/">a&lt;/a>&lt;img src="i.png"></content></entry></feed>`,
      '',
      { text: 'full' },
    )
    expect(entry).toMatchObject({
      url: 'https://other.example/blog/2026/post',
      image: 'https://other.example/blog/2026/i.png',
    })
    expect(entry?.body).toContain('<a href="https://other.example/blog/z?a=1&amp;b=2">')
    expect(entry?.body).toContain('<a href="https://a.example/">')
  })

  test('several authors are named, each once', () => {
    const author = (name: string) => `<author><name>${name}</name></author>`
    const document = `<feed><entry><id>1</id><title>x</title>${['Ann Aker', 'Ben Brook', 'Ann Aker', 'admin'].map(author).join('')}</entry></feed>`
    expect(events(document)).toMatchObject([{ author: 'Ann Aker, Ben Brook' }])
  })

  test('a list in a summary stays a list, and the cells of a table are separate words', () => {
    const html =
      '<ul><li>One & two</li><li>Three</li></ul><table><tr><td>a</td><td>b</td></tr></table>'
    const [event] = events(
      rss(`<guid>1</guid><title>x</title><description><![CDATA[${html}]]></description>`),
    )
    expect(event?.body).toBe('<ul><li>One &amp; two</li><li>Three</li></ul>\n<p>a b</p>')
  })

  test('a summary has no marks of plain text for quotes, rules, numbered lists and tables', () => {
    const html =
      '<blockquote><p>We love it</p><p>Really</p></blockquote><hr><p>Says a customer.</p><ol><li><p>One</p></li><li><p>Two</p></li></ol><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td></td></tr></table><ol><li>Only one</li></ol><p>1985. What a year</p>'
    const [event] = events(
      rss(`<guid>1</guid><title>x</title><description><![CDATA[${html}]]></description>`),
    )
    expect(event?.body.split('\n')).toEqual([
      '<p>We love it</p>',
      '<p>Really</p>',
      '<p>Says a customer.</p>',
      '<ol><li>One</li><li>Two</li></ol>',
      '<table><tr><td>A</td><td>B</td></tr><tr><td>1</td><td></td></tr></table>',
      '<p>1. Only one</p>',
      '<p>1985. What a year</p>',
    ])
  })

  test.each([
    [
      '<p>24. Dezember: geschlossen<br>7. Januar: wieder offen</p>',
      '<p>24. Dezember: geschlossen 7. Januar: wieder offen</p>',
    ],
    ['<p>24. Dezember: zu<br>25. Dezember: zu</p>', '<p>24. Dezember: zu 25. Dezember: zu</p>'],
    ['<p>2024. A year<br>2025. Another</p>', '<p>2024. A year 2025. Another</p>'],
    [
      '<p>We say:</p><ol start="5"><li>five</li><li>six</li></ol>',
      '<p>We say:</p>\n<ol start="5"><li>five</li><li>six</li></ol>',
    ],
    ['<ol start="9"><li>a</li><li>b</li></ol>', '<ol start="9"><li>a</li><li>b</li></ol>'],
    ['<p>1. One<br>2. Two</p>', '<ol><li>One</li><li>Two</li></ol>'],
  ])('the numbers in the summary %s stay as they are', (html, body) => {
    const document = `<guid>1</guid><title>x</title><description><![CDATA[${html}]]></description>`
    expect(events(rss(document))[0]?.body).toBe(body)
  })

  test('at most 100 entries of a feed are read', () => {
    const items = Array.from(
      { length: 3_000 },
      (_, at) => `<item><guid>${at}</guid><title>n</title></item>`,
    )
    expect(events(`<rss><channel>${items.join('')}</channel></rss>`)).toHaveLength(100)
  })

  test.each<[string, string, string | null]>([
    ['its name', '<dc:creator>Ines Aker</dc:creator>', 'Ines Aker'],
    ['an address and a name', '<author>ines@blog.example (Ines Aker)</author>', 'Ines Aker'],
    ['an address only', '<author>ines@blog.example</author>', null],
    ['nothing', '', null],
  ])('the author of an entry with %s is a name and never an address', (_, author, name) => {
    expect(events(rss(`<guid>1</guid><title>x</title>${author}`))).toMatchObject([{ author: name }])
  })

  test.each<[string, string | null]>([
    ['<link>/news/1?utm_source=rss&amp;id=2</link>', 'https://blog.example/news/1?id=2'],
    ['<link>http://other.example/1</link>', 'http://other.example/1'],
    ['<link>javascript:alert(1)</link>', null],
    ['<link>https://user:password@blog.example/</link>', null],
    ['<link href="https://blog.example/2" rel="alternate"/>', 'https://blog.example/2'],
    ['<guid>https://blog.example/3</guid>', 'https://blog.example/3'],
    ['<guid isPermaLink="false">https://blog.example/3</guid>', null],
  ])('the link of an entry with %s is %s', (link, address) => {
    const [event] = events(rss(`${link}<guid>1</guid><title>x</title>`))
    expect(event?.url ?? null).toBe(address)
  })

  test.each<[string, string | null]>([
    ['<enclosure url="https://a.example/1.jpg" type="image/jpeg"/>', 'https://a.example/1.jpg'],
    ['<enclosure url="https://a.example/1.mp3" type="audio/mpeg"/>', null],
    ['<media:content url="https://a.example/2.jpg" medium="image"/>', 'https://a.example/2.jpg'],
    ['<media:group><media:thumbnail url="/3.jpg"/></media:group>', 'https://blog.example/3.jpg'],
    ['<enclosure url="http://a.example/4.jpg" type="image/jpeg"/>', null],
    [
      '<description>&lt;img src="https://a.example/5.jpg"&gt;</description>',
      'https://a.example/5.jpg',
    ],
    ['<description>&lt;img src="https://a.example/6.gif" width="1"&gt;</description>', null],
  ])('the picture of an entry with %s is %s', (element, address) => {
    expect(events(rss(`<guid>1</guid><title>x</title>${element}`))).toMatchObject([
      { image: address },
    ])
  })

  test('a summary ends with a sentence and without what blogs add to it', () => {
    const long = 'A sentence of some length about the harbour. '.repeat(30)
    const [event] = events(rss(`<guid>1</guid><title>x</title><description>${long}</description>`))
    expect(event?.body).toEndWith('about the harbour.</p>')
    expect(event?.body.length).toBeLessThan(620)
    const added = 'It is open. Continue reading “The harbour”'
    const [other] = events(rss(`<guid>1</guid><title>x</title><description>${added}</description>`))
    expect(other?.body).toBe('<p>It is open…</p>')
  })

  test('a whole text that does not fit into a block is replaced by its beginning', () => {
    const html = `&lt;p&gt;First.&lt;/p&gt;${'&lt;p&gt;More text.&lt;/p&gt;'.repeat(6_000)}`
    const document = rss(`<guid>1</guid><title>x</title><description>${html}</description>`)
    expect(events(document, '', { text: 'full' })[0]?.body).toStartWith('<p>First.</p>')
    expect(events(document, '', { text: 'full' })[0]?.body.length).toBeLessThan(2_000)
  })

  test('text that PostgreSQL cannot store is corrected', () => {
    const [event] = events(rss('<guid>1</guid><title>a&#0;b&#xD800;c</title>'))
    expect(event?.title).not.toContain('\0')
    expect(event?.title.isWellFormed()).toBe(true)
  })

  test.each([
    '',
    '{}',
    '<html><item><title>x</title></item></html>',
    '\0\0',
    '<?xml version="1.0"?>',
  ])('a document that is %j is not a feed', (document) => {
    expect(read(document)).toBeNull()
  })

  test.each([
    '<rss><channel><item><guid>1</guid><title>x',
    '<rss><item><title>x</item></rss>',
    '<feed>',
  ])('the broken feed %s is read as far as it can be', (document) => {
    expect(read(document)).not.toBeNull()
  })
})

describe('RSS and Atom: hostile documents', () => {
  test('entities of a DTD are neither expanded nor fetched', () => {
    const entities = Array.from(
      { length: 30 },
      (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`,
    )
    const dtd = `<!DOCTYPE r [<!ENTITY l0 "lol"><!ENTITY x SYSTEM "file:///etc/passwd">${entities.join('')}]>`
    const [event] = events(`${dtd}${rss('<guid>1</guid><title>&l30; &x;</title>')}`)
    expect(event?.title).toBe('&l30; &x;')
  })

  const cases = [
    { name: 'deep elements', make: (n: number) => `<rss><item>${'<a>'.repeat(n)}` },
    {
      name: 'many entries',
      make: (n: number) => `<rss>${'<item><title>x</title></item>'.repeat(n)}`,
    },
    { name: 'many titles', make: (n: number) => rss('<title>x</title>'.repeat(n)) },
    { name: 'ampersands', make: (n: number) => rss(`<title>${'&'.repeat(n)}</title>`) },
    { name: 'sections that do not end', make: (n: number) => rss('<title><![CDATA['.repeat(n)) },
    { name: 'comments that do not end', make: (n: number) => rss('<!--'.repeat(n)) },
    {
      name: 'angle brackets',
      make: (n: number) => rss(`<description>${'&lt;'.repeat(n)}</description>`),
    },
    {
      name: 'pictures that do not end',
      make: (n: number) =>
        rss(`<guid>1</guid><title>x</title><description>${'&lt;img src='.repeat(n)}</description>`),
    },
    {
      name: 'spaces',
      make: (n: number) =>
        rss(`<guid>1</guid><title>x</title><description>${'x '.repeat(n)}</description>`),
    },
    {
      name: 'paragraphs',
      make: (n: number) =>
        rss(
          `<guid>1</guid><title>x</title><description>${'&lt;p>The post'.repeat(n)}</description>`,
        ),
    },
    {
      name: 'full stops before the end of a summary',
      text: 'summary',
      make: (n: number) =>
        rss(`<guid>1</guid><title>x</title><description>${'.'.repeat(n)}a […]</description>`),
    },
    {
      name: 'spaces after the title in a summary',
      text: 'summary',
      make: (n: number) =>
        rss(`<guid>1</guid><title>x</title><description>x${' '.repeat(n)}a</description>`),
    },
  ]
  test.each(cases)(
    'a feed made to take much time or memory is read in time that grows with its size: $name',
    async ({ make, text = 'full' }) => {
      const growth = await growthOf((size) => read(make(size), '', { text }), 4_000)
      expect(growth).toBeLessThan(maxLinearGrowth)
    },
  )
})

/** A feed in ISO-8859-1. */
function latin(declaration: string): Uint8Array {
  return Buffer.from(
    declaration + rss('<guid>1</guid><title>Fähre über den Sund</title>'),
    'latin1',
  )
}

/** A feed in UTF-16. */
function utf16(): Uint8Array {
  return Buffer.from(`\ufeff${rss('<guid>1</guid><title>Fähre über den Sund</title>')}`, 'utf16le')
}

describe('RSS and Atom: what readers get', () => {
  const textOf = (title: string, description: string, given: object = {}) => {
    const link = '<link>https://blog.example/1</link>'
    const text = `<guid>1</guid>${link}<title>${title}</title><content><![CDATA[${description}]]></content>`
    return events(rss(text), '', given)[0]?.body
  }

  test('the text of an entry does not begin with its title', () => {
    const text = 'Maps that move. Today we release the biggest update since 2021.'
    const body = '<p>Today we release the biggest update since 2021.</p>'
    expect(textOf('Maps that move', text)).toBe(body)
    expect(textOf('Maps that move', 'Maps that move')).toBe('<p>Maps that move</p>')
    expect(textOf('Maps', 'Maps that move are here.')).toBe('<p>Maps that move are here.</p>')
  })

  test('captions, buttons to share and links to the entry itself are not part of its text', () => {
    const html =
      '<figure><img src="/1.jpg"><figcaption>Photo: <b>Bo</b></figcaption></figure><div class="sharedaddy x">Share this: <a href="https://t.example">Tweet</a></div><p>Mira explains tides.</p><h2>Listen</h2><p><a href="https://blog.example/1?x=1">Listen here</a></p>'
    expect(textOf('Podcast', html)).toBe('<p>Mira explains tides.</p>')
    expect(textOf('Podcast', html, { text: 'full' })).toBe(
      '<figure><img src="/1.jpg"></figure><p>Mira explains tides.</p>',
    )
  })

  test('the account that publishes is not an author', () => {
    const entry = '<guid>1</guid><title>x</title><dc:creator>admin</dc:creator>'
    expect(events(rss(entry))).toMatchObject([{ author: null }])
  })

  test('parts of a page that are never closed are searched in time that grows with their length', async () => {
    const parts = (count: number) =>
      textOf('x', '<div class="share"><figcaption><h2>'.repeat(count) || 'x')
    expect(await growthOf(parts, 100)).toBeLessThan(maxLinearGrowth)
  })
})
