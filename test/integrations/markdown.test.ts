import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import * as v from 'valibot'
import { renderMarkdownBody } from '../../integrations/kit/markdown.ts'
import { IngestPayload } from '../../src/contract/ingest.ts'

const url = 'https://code.example.test/acme/web/releases/tag/v1'
const ending = `<p><a href="${url}">Read on</a></p>`

const write = (markdown: string | null) =>
  renderMarkdownBody({ markdown, fallback: 'Web 1 is <out>.', url, linkText: 'Read on' })

/** The notes alone, without the closing link. */
const notes = (markdown: string | null) => write(markdown).replace(`\n${ending}`, '')

describe('Markdown becomes HTML', () => {
  test.each([
    ['**bold**\nnext line', '<p><strong>bold</strong><br>next line</p>'],
    ['a &amp; b < c', '<p>a &amp; b &lt; c</p>'],
    ['<b>kept</b> for ingest to clean', '<p><b>kept</b> for ingest to clean</p>'],
    ['[guide](/docs/a)', '<p><a href="https://code.example.test/docs/a">guide</a></p>'],
    ['[part](#b)', `<p><a href="${url}#b">part</a></p>`],
  ])('%j', (markdown, html) => {
    expect(notes(markdown)).toBe(html)
  })
})

test.each([
  'Look: ![chart](https://images.example/a.png)',
  'Look: <img src="https://images.example/a.gif" width=1>',
  'Look: <IMG SRC="https://images.example/a.gif"/>',
  'Look: <picture><source srcset="https://images.example/a"><img src="https://images.example/a"></picture>',
  'Look: <video poster="https://images.example/a"></video>',
  'Look: <noscript><img src="https://images.example/a"></noscript>',
  'Look: <svg><image href="https://images.example/a"/></svg>',
])('%s loads nothing', (markdown) => {
  expect(notes(markdown)).toStartWith('<p>Look:')
  expect(notes(markdown)).not.toContain('images.example')
})

test.each([null, '', ' \n ', '<!-- generated -->', '![badge](https://i.example/b.svg)', '---'])(
  '%j shows nothing, so the fallback speaks',
  (markdown) => {
    expect(notes(markdown)).toBe('<p>Web 1 is &lt;out&gt;.</p>')
  },
)

test.each([
  '<!-- open',
  '<div title="',
  '<plaintext>all',
  '<style>p',
  'a <b',
  '<textarea>',
  '<video>\nseen',
])('%j swallows nothing that follows', (markdown) => {
  expect(linksIn(write(`Notes\n\n${markdown}`))).toContain(url)
  expect(notes(`Notes\n\n${markdown}`)).toContain('Notes')
})

test('a body of any Markdown is HTML that ingest takes, its closing link whole', () => {
  const pieces = fc.constantFrom(
    ...['<', '>', '<!--', '-->', '<a href="', '"', '<p>', '</p>', '<svg>', '<b', '](', '[', '!['],
    ...['`', '```\n', '*', '_', '~~', '|', '|-|\n', '# ', '- ', '\n', ' ', 'word', '\u0301', '🌊'],
  )
  const markdown = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(markdown, (text) => {
      const body = write(text)
      expect(v.safeParse(IngestPayload, { title: 't', body }).issues).toBeUndefined()
      expect(body).toStartWith('<')
      expect(linksIn(body)).toContain(url)
    }),
  )
})

describe('a text that is too long is cut, and says so', () => {
  test.each([
    ['lines', 'One more line of notes.\n\n'.repeat(10_000)],
    ['one line', 'é'.repeat(100_000)],
    ['emoji', '🌊'.repeat(60_000)],
    ['emoji after a letter', `a${'🌊'.repeat(60_000)}`],
    ['signs that grow', '&"<'.repeat(40_000)],
    ['letters that NFC takes apart', '\u0958'.repeat(30_000)],
  ])('%s', (_, markdown) => {
    const body = write(markdown)
    expect(v.safeParse(IngestPayload, { title: 't', body }).issues).toBeUndefined()
    expect(Buffer.byteLength(body)).toBeGreaterThan(16 * 1024)
    expect(body).not.toContain('\ufffd')
    expect(body).toEndWith(`</p>\n<p>…</p>\n${ending}`)
  })
})

// Each took marked more than ten seconds, all memory or the whole stack.
test.each([
  ['emphasis without end', '_a *'.repeat(16_384)],
  ['struck words without end', '~a**'.repeat(16_384)],
  [
    'a table as wide as long',
    `${'a|'.repeat(8000)}\n${'-|'.repeat(8000)}\n${'a\n'.repeat(16_000)}`,
  ],
  ['quotes in quotes', '> '.repeat(32_768)],
])('%s takes less than three seconds', (_, markdown) => {
  const start = performance.now()
  const body = write(markdown)
  expect(performance.now() - start).toBeLessThan(3000)
  expect(v.safeParse(IngestPayload, { title: 't', body }).issues).toBeUndefined()
})

function linksIn(html: string): (string | null)[] {
  const links: (string | null)[] = []
  new HTMLRewriter()
    .on('a', { element: (link) => void links.push(link.getAttribute('href')) })
    .transform(html)
  return links
}
