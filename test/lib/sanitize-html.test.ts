import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { defaultTreeAdapter, html as namespaces, parseFragment, serialize } from 'parse5'
import {
  hasContent,
  sanitizeGeneratedHtml,
  sanitizeHtml,
  textLinesOf,
} from '../../src/lib/html/sanitize-html.ts'
import { growthOf, maxLinearGrowth } from '../support/growth.ts'
import { runs } from '../support/properties.ts'

const container = defaultTreeAdapter.createElement('div', namespaces.NS.HTML, [])
const parsed = (html: string) => serialize(parseFragment(container, html, {}))

test.each([
  ['a list item inside a list item', '<li>x<div>x<li>x', '<li>x<div>x</div></li><li>x</li>'],
  [
    'a row without a table body',
    '<table><tr><td>x',
    '<table><tbody><tr><td>x</td></tr></tbody></table>',
  ],
  [
    'text between table rows',
    '<table>x<tr><td>y',
    'x<table><tbody><tr><td>y</td></tr></tbody></table>',
  ],
  [
    'the alignment of cells, without other values of it',
    '<table><tr><th align="center">x<td align="right" style="text-align:left">y<td align="x">z',
    '<table><tbody><tr><th align="center">x</th><td align="right">y</td><td>z</td></tr></tbody></table>',
  ],
  [
    'a cell over more columns or rows than tables for readers have',
    '<table><tr><td colspan="20" rowspan="50">x<td colspan="21" rowspan="51">y<th colspan="Infinity" rowspan="1e9">z<td colspan="-1" rowspan="">',
    '<table><tbody><tr><td colspan="20" rowspan="50">x</td><td>y</td><th>z</th><td></td></tr></tbody></table>',
  ],
  ['an image without an address', '<p>a<img>b<img alt="c"></p>', '<p>ab</p>'],
  ['a cell without a table', '<tr><td>x</td></tr>y', 'xy'],
  [
    'a link around a block in a paragraph',
    '<p><a href="https://a.example">x<ul>y',
    '<p><a href="https://a.example">x</a></p><ul><a href="https://a.example">y</a></ul><p></p>',
  ],
  ['line breaks before code', '<pre>\n\n\nx</pre>', '<pre>x</pre>'],
  [
    'an image, a space that does not break and a line break',
    '<img alt="&quot;<" src="https://a.example/i.png">\u00a0<br/>',
    '<img alt="&quot;&lt;" src="https://a.example/i.png">&nbsp;<br>',
  ],
  [
    'text in another language and direction',
    '<p dir="rtl" lang="ar">مرحبا <span onclick="x()" lang="en">hi</span></p>',
    '<p dir="rtl" lang="ar">مرحبا <span lang="en">hi</span></p>',
  ],
  [
    'a link to a phone number',
    '<a href="tel:+4930123">call</a> <a href="sms:1">x</a>',
    '<a href="tel:+4930123">call</a> <a>x</a>',
  ],
])('%s is sanitized to what an HTML parser makes of it', (_, html, expected) => {
  expect(sanitizeHtml(html)).toBe(expected)
})

test('text and marks of any kind are sanitized to HTML that neither a parser nor the sanitizer changes', () => {
  const check = (html: string) => {
    const results = [sanitizeHtml(html), sanitizeGeneratedHtml(html, () => true)]
    expect(results.map(parsed)).toEqual(results)
    expect(results.map((html) => sanitizeHtml(html))).toEqual(results)
  }
  fc.assert(fc.property(markup(), check), runs(500))
})

test('HTML that needs no parser is sanitized to what the parser makes of it', () => {
  let plain = 0
  const check = (html: string) => {
    const sanitized = sanitizeHtml(html)
    // HTML with a comment always needs the parser, which removes the comment.
    expect(sanitizeHtml(`${sanitized}<!-- -->`)).toBe(sanitized)
    if (sanitized === html) plain++
  }
  fc.assert(fc.property(fc.oneof(markup(), plainMarkup()), check), runs(1000))
  expect(plain).toBeGreaterThan(125)
})

test.each([
  ['an element that is closed in another place', '<b>x<i>y</b></i>'],
  ['an element that is not closed', '<p>x'],
  ['an element in an element that ends it', '<p>x<div>y</div></p>'],
  ['a link in a link', '<a>x<a>y</a></a>'],
  ['a script', '<script>alert(1)</script>'],
  ['a link to a script', '<a href="javascript:alert(1)">x</a>'],
  ['a link with an event handler', '<a href="https://a.example" onclick="alert(1)">x</a>'],
  ['a tag made of two parts', '<<b>script>alert(1)</b>'],
  ['an entity made of two parts', '&am<b>p;</b>'],
  ['an entity without its end', '&amp x'],
  ['more elements in each other than are allowed', `${'<b>'.repeat(60)}x${'</b>'.repeat(60)}`],
])('sanitizing %s needs an HTML parser', (_, html) => {
  const sanitized = sanitizeHtml(html)
  expect(sanitized).not.toBe(html)
  expect(sanitizeHtml(`${html}<!-- -->`)).toBe(sanitized)
})

test('a parser that repeats open elements in every block does not multiply the size of a body', () => {
  const marks = ['b', 'i', 'u', 's', 'em', 'code', 'small', 'strong'].map((name) => `<${name}>`)
  const body = `<p>${marks.join('').repeat(3)}${'<div>x</div>'.repeat(2000)}`
  expect(sanitizeHtml(body)).toBe('x'.repeat(2000))
})

test.each([
  ['plain paragraphs', '<p>It <b>is</b> out.</p>'],
  ['list items inside each other', '<li>x<div>'],
  ['tables inside each other', '<table><tr><td>x'],
  ['open marks', '<p><b>x<div>'],
  ['open brackets', '<'],
  ['elements inside each other', '<div>'],
  ['attributes that never end', '<a /'],
  ['names that never end', 'a '],
  ['links that never end', '<a href="https://a.example/'],
])('the time to sanitize %s grows with their number only', async (_, part) => {
  expect(await growthOf((size) => sanitizeHtml(part.repeat(size)), 200)).toBeLessThan(
    maxLinearGrowth,
  )
})

test('the time to read a body of spaces as text grows with their number only', async () => {
  const read = (size: number) => textLinesOf(`<p>a${' '.repeat(size)}b</p>`)
  expect(await growthOf(read, 2_000)).toBeLessThan(maxLinearGrowth)
})

test.each([
  ['<p></p>', false],
  ['<p>&nbsp;</p><br>', false],
  ['<img alt="chart">', false],
  ['<img src="https://a.example/i.png">', true],
  ['<p>&lt;</p>', true],
])('sanitized HTML %j has content: %p', (html, expected) => {
  expect(hasContent(html)).toBe(expected)
})

/** Start tags, end tags and text in any order, allowed ones and others. */
function markup() {
  const names = [
    ...[
      'p',
      'br',
      'hr',
      'div',
      'span',
      'blockquote',
      'pre',
      'code',
      'h1',
      'h2',
      'figure',
      'details',
    ],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'a', 'b', 'i', 'em', 'u', 'strong', 'img', 'summary'],
    ...[
      'table',
      'caption',
      'thead',
      'tbody',
      'tr',
      'th',
      'td',
      'colgroup',
      'section',
      'font',
      'form',
    ],
    ...['nobr', 'select', 'option', 'svg', 'math', 'script', 'template', 'button', 'title', 'body'],
  ]
  const attributes = fc.constantFrom('', '', ' href="https://a.example/?&lt"', ' title="<x>"')
  const start = fc
    .tuple(fc.constantFrom(...names), attributes)
    .map((parts) => `<${parts.join('')}>`)
  const end = fc.constantFrom(...names).map((name) => `</${name}>`)
  const text = fc.constantFrom(
    ...['x', ' ', '\n', '\r\n', '\0', '\u00a0', '&nbsp;', '&amp;', '&#13;'],
    ...['<', '"', '/>', '<!--', '-->'],
  )
  return fc
    .array(fc.oneof(start, start, end, text), { maxLength: 60 })
    .map((parts) => parts.join(''))
}

/** Elements without attributes and links, in each other and closed, around text. */
function plainMarkup() {
  const names = ['p', 'b', 'em', 'ul', 'li', 'div', 'h2', 'blockquote', 'pre', 'code', 'td', 'font']
  const text = fc.constantFrom('One word. ', 'x', '\n', '&amp;', '&lt;', '&nbsp;', '"', 'é', '<br>')
  const { nodes } = fc.letrec<{ nodes: string[]; node: string }>((tie) => ({
    nodes: fc.array(tie('node'), { maxLength: 5 }),
    node: fc.oneof(
      { maxDepth: 5 },
      text,
      fc
        .tuple(fc.constantFrom(...names), tie('nodes'))
        .map(([name, inner]) => `<${name}>${inner.join('')}</${name}>`),
      tie('nodes').map((inner) => `<a href="https://a.example/?q=1">${inner.join('')}</a>`),
    ),
  }))
  return nodes.map((parts) => parts.join(''))
}
