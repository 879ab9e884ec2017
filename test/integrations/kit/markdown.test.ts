import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import * as v from 'valibot'
import { markupFormat } from '../../../integrations/google-chat/messages/format.ts'
import { markupToMarkdown } from '../../../integrations/google-chat/messages/text.ts'
import { wikiToMarkdown } from '../../../integrations/jira/wiki.ts'
import { markdownFormat, textForForm } from '../../../integrations/kit/chat/forms/edit-text.ts'
import { splitFirstLine } from '../../../integrations/kit/chat/forms/first-line.ts'
import { itemText } from '../../../integrations/kit/chat/messages/item-text.ts'
import { withoutPleasantries } from '../../../integrations/kit/chat/pleasantries.ts'
import { withoutTicketJargon } from '../../../integrations/kit/item.ts'
import { escapeLoneNumbers } from '../../../integrations/kit/markdown/lone-numbers.ts'
import { markdownLine, renderMarkdown } from '../../../integrations/kit/markdown/markdown.ts'
import { mrkdwnToMarkdown } from '../../../integrations/kit/markdown/mrkdwn-markdown.ts'
import { releaseProse } from '../../../integrations/kit/releases/release-text.ts'
import { releaseTitle } from '../../../integrations/kit/releases/release-title.ts'
import { htmlToText, withoutLinkTo } from '../../../integrations/kit/text/html.ts'
import { providerText } from '../../../integrations/kit/text/plain-text.ts'
import { formatTypedText } from '../../../integrations/kit/text/typed-text.ts'
import { mrkdwnFormat } from '../../../integrations/slack/requests/forms/format.ts'
import { mentionsAsTags } from '../../../integrations/teams/bot/requests/activity.ts'
import { readText } from '../../../integrations/teams/text.ts'
import { IngestPayload } from '../../../src/contract/blocks/ingest.ts'
import { growthOf, maxLinearGrowth } from '../../support/growth.ts'

const base = 'https://code.example.test/acme/web/releases/tag/v1'

const render = (markdown: string) => renderMarkdown(markdown, { base })

describe('Markdown as HTML', () => {
  const cases: [markdown: string, html: string][] = [
    ['**bold**\nnext line', '<p><strong>bold</strong><br>next line</p>'],
    ['a &amp; b < c', '<p>a &amp; b &lt; c</p>'],
    ['<b>kept</b> for ingest to sanitize', '<p><b>kept</b> for ingest to sanitize</p>'],
    ['[guide](/docs/a)', '<p><a href="https://code.example.test/docs/a">guide</a></p>'],
    ['[part](#b)', `<p><a href="${base}#b">part</a></p>`],
    ['- [x] done\n- [ ] open', '<ul>\n<li>✓ done</li>\n<li>☐ open</li>\n</ul>'],
    ['# One level of headings', '<h3>One level of headings</h3>'],
    ['Shipped :tada: with :acme-parrot: luck', '<p>Shipped 🎉 with luck</p>'],
    ['core@1.2.3 is not a mailbox', '<p>core@1.2.3 is not a mailbox</p>'],
    ['<core@1.2.3> and [Ada](mailto:ada@a.test)', '<p>core@1.2.3 and Ada</p>'],
    [
      'https://www.tideline.example/notes/?utm=1',
      '<p><a href="https://www.tideline.example/notes/?utm=1">tideline.example/notes</a></p>',
    ],
    [
      '> [!NOTE]\n> Useful.\n\n> [!TIP]\n\n> [!OTHER]',
      '<blockquote>\n<p>Useful.</p>\n</blockquote>\n<blockquote>\n<p>[!OTHER]</p>\n</blockquote>',
    ],
    [
      'Fast[^1], not [^a-z] or `[^1]`.\n\n- see[^2]\n\n[^1]: Measured.\n[^2]: On *two* phones.',
      '<p>Fast<sup>1</sup>, not [^a-z] or <code>[^1]</code>.</p>\n<ul>\n<li>see<sup>2</sup></li>\n</ul>\n<p><sup>1</sup> Measured.<br><sup>2</sup> On <em>two</em> phones.</p>',
    ],
    ['`:tada:` stays code', '<p><code>:tada:</code> stays code</p>'],
  ]
  for (const [markdown, html] of cases)
    test(`the Markdown ${JSON.stringify(markdown)} becomes the expected HTML`, () => {
      expect(render(markdown)).toBe(html)
    })
})

test.each([
  ['We launched, see https://x.example/a', 'We launched'],
  ['The slides are here: <https://x.example/a> https://x.example/b', 'The slides are'],
  ['We launched. More at https://x.example/a', 'We launched.'],
  ['Wir sind live, siehe https://x.example/a', 'Wir sind live'],
  ['We launched at https://x.example/a and sold it', 'We launched at and sold it'],
  ['We launched (see https://x.example/a).', 'We launched.'],
  ['See https://x.example', 'See x.example'],
  ['Read [the plan](https://x.example/a)', 'Read the plan'],
  ['We looked on', 'We looked on'],
])(
  'the words before an address that a title leaves out are left out, too: %s',
  (markdown, title) => {
    expect(markdownLine(markdown)).toBe(title)
  },
)

describe('media in Markdown', () => {
  for (const markdown of [
    'Look: ![chart](https://images.example/a.png)',
    'Look: <img src="https://images.example/a.gif" width=1>',
    'Look: <IMG SRC="https://images.example/a.gif"/>',
    'Look: <picture><source srcset="https://images.example/a"><img src="https://images.example/a"></picture>',
    'Look: <video poster="https://images.example/a"></video>',
    'Look: <noscript><img src="https://images.example/a"></noscript>',
    'Look: <svg><image href="https://images.example/a"/></svg>',
  ])
    test(`the media in ${markdown} are removed`, () => {
      expect(render(markdown)).toStartWith('<p>Look:')
      expect(render(markdown)).not.toContain('images.example')
    })
})

test('Markdown without visible text gives an empty body', () => {
  for (const markdown of ['', ' \n ', '<!-- generated -->', '![badge](https://i.example/b.svg)'])
    expect(render(markdown)).toBe('')
})

describe('unfinished HTML in Markdown', () => {
  for (const open of [
    '<!-- open',
    '<div title="',
    '<plaintext>all',
    '<style>p',
    'a <b',
    '<textarea>',
  ])
    test(`Markdown that ends in ${open} keeps what was written before it`, () => {
      expect(render(`Notes\n\n${open}`)).toContain('Notes')
    })
})

test('the body of any Markdown is HTML that ingest accepts', () => {
  const pieces = fc.constantFrom(
    ...['<', '>', '<!--', '-->', '<a href="', '"', '<p>', '</p>', '<svg>', '<b', '](', '[', '!['],
    ...['`', '```\n', '*', '_', '~~', '|', '|-|\n', '# ', '- ', '\n', ' ', 'word', '\u0301', '🌊'],
  )
  const markdown = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(markdown, (text) => {
      const body = render(text)
      if (body === '') return
      expect(v.safeParse(IngestPayload, { title: 't', body }).issues).toBeUndefined()
      expect(body).toStartWith('<')
    }),
  )
})

describe('Markdown that is too long', () => {
  const texts: [name: string, markdown: string][] = [
    ['lines', 'One more line of notes.\n\n'.repeat(10_000)],
    ['letters in one line', 'é'.repeat(100_000)],
    ['emoji', '🌊'.repeat(60_000)],
    ['emoji after a letter', `a${'🌊'.repeat(60_000)}`],
    ['signs that grow in HTML', '&"<'.repeat(40_000)],
    ['letters that NFC takes apart', '\u0958'.repeat(30_000)],
  ]
  for (const [name, markdown] of texts)
    test(`Markdown of too many ${name} is cut a little below the limit and ends in an ellipsis`, () => {
      const body = render(markdown)
      expect(v.safeParse(IngestPayload, { title: 't', body }).issues).toBeUndefined()
      expect(Buffer.byteLength(body)).toBeGreaterThan(48 * 1024)
      expect(body).not.toContain('\ufffd')
      expect(body).toEndWith('</p>\n<p>…</p>')
    })
})

// Each of these once took marked more than three seconds, all memory or the whole stack.
describe('the time for Markdown', () => {
  const texts: [name: string, unit: string][] = [
    ['quotes in quotes', '> '],
    ['lists in lists', '- '],
    ['quotes in lists in quotes', '> - '],
    ['emphasis without end', '_a *'],
    ['struck words without end', '~a**'],
    ['tags without end', '<a '],
    ['headings of one line', '--\n'],
  ]
  for (const [name, unit] of texts)
    test(`the time for Markdown of ${name} grows with its length only`, async () => {
      const growth = await growthOf((size) => render(unit.repeat(size)), 8000 / unit.length)
      expect(growth).toBeLessThan(maxLinearGrowth)
    })
})

const page = 'https://a.test/'
const kudosTo = (markdown: string) => itemText({ markdown, command: 'kudos', language: 'en' })
const release = { product: 'apollo', name: 'A new thing', tag: 'v1', language: 'en' } as const

test.each<[name: string, read: (blanks: string) => string, blank: string]>([
  ['a message in a chat', (blanks) => withoutPleasantries(`a${blanks}b`), '\n'],
  ['a message of Google Chat', (blanks) => markupToMarkdown(`a${blanks}b`, 'en'), '\n'],
  [
    'line separators of Google Chat',
    (text) => markupToMarkdown(v.parse(providerText, `a${text}b`), 'en'),
    '\u2028',
  ],
  [
    'the farewells of a message',
    (farewells) => withoutPleasantries(`a${farewells}b`),
    '\n \nBest, Ada\nThanks\nAda ',
  ],
  ['a message after its greeting', (blanks) => withoutPleasantries(`Hi${blanks}x`), ' '],
  ['marks after a greeting', (marks) => withoutPleasantries(`Hi${marks}x`), '! '],
  ['numbers after a greeting', (marks) => withoutPleasantries(`Hi${marks}x`), '1️⃣ 🇩🇪'],
  ['lines after a greeting', (blanks) => withoutPleasantries(`Hi all${blanks}`), '\n'],
  ['a message after its farewell', (blanks) => withoutPleasantries(`a\nBest${blanks}!`), '\n'],
  ['a last line after a farewell', (blanks) => withoutPleasantries(`a\nThanks,${blanks}x`), ' '],
  ['emoji after a farewell', (marks) => withoutPleasantries(`a\nGrüße${marks}x`), ' 🎉:x:'],
  ['points with asterisks', mrkdwnToMarkdown, '* a\n  x\n\n b*c\n'],
  ['points of lists in lists', mrkdwnToMarkdown, '1. a\n  • b\n      a. c\n'],
  ['the copies of a message', (names) => withoutPleasantries(`a\ncc${names}x`), ' And,'],
  ['an emoji and marks after copies', (marks) => withoutPleasantries(`a\ncc Ada${marks}x`), '. 🎉'],
  ['a name in copies with many points', (marks) => withoutPleasantries(`a\ncc A${marks}@`), '.'],
  ['lines with copies', (lines) => withoutPleasantries(`a${lines}x`), '\ncc ada, bob\n'],
  ['release notes', (blanks) => releaseProse(`a${blanks}b`), '\n'],
  ['a message with blocks of code', (blocks) => splitFirstLine(`${blocks}a`).rest, '```\n```\n'],
  ['the title of a ticket with numbers', (numbers) => withoutTicketJargon(`${numbers}a`), '(#1) '],
  ['a text that a person has typed', (blanks) => formatTypedText(`a${blanks}b`).body, '\n'],
  ['a text with a link', (text) => withoutLinkTo(`<a href="${page}">a</a><p>${text}b`, page), ' '],
])('the time to read %s with many blanks grows with their number only', async (_, read, blank) => {
  const growth = await growthOf((size) => read(blank.repeat(size)), 2_000)
  expect(growth).toBeLessThan(maxLinearGrowth)
})

test.each<[name: string, read: (text: string) => unknown, unit: string]>([
  ['slashes in an address', (text) => withoutLinkTo(`<a href="${page}${text}a">a</a>`, page), '/'],
  [
    'addresses in lines and sentences',
    (text) => withoutLinkTo(text, page),
    `<br>a <a href="${page}">${page}</a><br><a href="${page}">${page}</a>`,
  ],
  ['addresses of one link', (text) => withoutLinkTo(`<a ${text}>${text}`, page), 'href="" '],
  ['labels at the start', (text) => itemText({ markdown: `${text}a`, language: 'en' }), '[a] '],
  ['marks behind the names of several people', (text) => kudosTo(`Bo and Al${text}1`), '-'],
  ['numbers in a tag', (tag) => releaseTitle({ ...release, tag: `a${tag}!` }), '-1'],
  [
    'numbers at the starts of lines',
    (text) => mrkdwnToMarkdown(escapeLoneNumbers(text)),
    '1. \n> ',
  ],
  ['points in points', escapeLoneNumbers, '- a\n  1. b\n   2. c\n\n'],
  ['beginnings of code in Jira', wikiToMarkdown, '{code:x}'],
  [
    'addresses of a link in Teams',
    (text) => readText(`<a ${text}>${text}`),
    'href="https://a.test" ',
  ],
  ['lines without words', (text) => splitFirstLine(`${text}a`).first, '🎉\n[a.b](https://a.b)\n'],
  ['lists and bold words in Teams', readText, '<ol><li><b> a </b><i> '],
  [
    'people whom Teams mentions',
    (text) => mentionsAsTags(`<span ${text}`),
    'schema.skype.com/Mention ',
  ],
])('the time to read %s grows with their number only', async (_, read, unit) => {
  const growth = await growthOf((size) => read(unit.repeat(size)), 2_000)
  expect(growth).toBeLessThan(maxLinearGrowth)
})

test.each(['1e21', '100000000', '9999999'])(
  'a list whose Roman numbers start at %s is read as one that starts at 1',
  (start) => {
    expect(htmlToText(`<ol type="I" start="${start}"><li>a</li></ol>`)).toBe('I. a')
    expect(htmlToText('<ol start="5"><li>a</li></ol>')).toBe('5. a')
  },
)

test('a form of a chat shows a date at the start of a line and saves it unchanged', () => {
  const body = '<p>24. Dezember: zu</p>\n<ol>\n<li>eins</li>\n<li>zwei</li>\n</ol>'
  const text = textForForm({ body, body_format: 'html' }, markdownFormat)
  expect(text).toStartWith('24. Dezember: zu')
  expect(markdownFormat.toHtml(text ?? '')).toBe(body)
})

test('a first line that the title in a form repeats stays in the text with its link', () => {
  const markdown = 'The [policy](https://x.example) is new\nIt is short.'
  expect(itemText({ markdown, title: 'The policy is new', language: 'en' }).body).toBe(
    '<p>The <a href="https://x.example">policy</a> is new<br>It is short.</p>',
  )
})

test.each([
  '<ul><li>a</li></ul>',
  '<ol><li>a</li></ol>',
  '<p>Steps</p><ol start="3"><li>a</li></ol><p>Done</p>',
  '<ul><li>a</li><li>b</li></ul>',
  '<ol><li>a<ul><li>x</li></ul></li></ol>',
  '<ol><li>Mai</li><li>Juni</li></ol>',
])('the forms of the chats show the list of %s and save it unchanged', (body) => {
  for (const format of [markdownFormat, mrkdwnFormat('de'), markupFormat('de')]) {
    const text = textForForm({ body, body_format: 'html' }, format)
    expect(format.toHtml(text ?? '').replaceAll('\n', '')).toBe(body)
  }
})

test.each([
  '<ol><li>a<ul><li>x</li></ul></li><li>b</li></ol>',
  '<ul><li>a<ol><li>x</li><li>y</li></ol></li><li>b<ol><li>z</li></ol></li></ul>',
  '<ul><li>a<ul><li>x<ul><li>y</li></ul></li></ul></li><li>b</li></ul>',
  '<ol start="9"><li>a</li><li>b<ol><li>x</li></ol></li><li>c</li></ol>',
])('a form of Slack shows the lists in lists of %s and saves them unchanged', (body) => {
  const text = textForForm({ body, body_format: 'html' }, mrkdwnFormat('en'))
  expect(
    mrkdwnFormat('en')
      .toHtml(text ?? '')
      .replaceAll('\n', ''),
  ).toBe(body)
})

test('quotes and lists in Markdown are nested at most twenty deep', () => {
  expect(render(`${'> '.repeat(40)}deep`).match(/<blockquote>/g)).toHaveLength(20)
})

test('a title made from Markdown is plain text without page addresses', () => {
  expect(markdownLine('We **shipped** [the site](https://a.test/x) :tada: https://a.test/x')).toBe(
    'We shipped the site 🎉',
  )
  expect(markdownLine('We launched https://tideline.example')).toBe('We launched tideline.example')
})
