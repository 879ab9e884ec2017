import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { searchWordsOf } from '../../src/features/content-blocks/index.ts'
import { sanitizeHtml } from '../../src/lib/html/sanitize-html.ts'
import { client, startApp, type TestApp } from '../support/app.ts'
import { runs } from '../support/properties.ts'

let app: TestApp
let call: ReturnType<typeof client>
beforeAll(async () => {
  app = await startApp()
  call = client(app.base, await app.key(await app.team(), ['read', 'write']))
})
afterAll(() => app.close())

const titlesWith = async (words: string): Promise<string[]> => {
  const { json } = await call('GET', `/content_blocks?q=${encodeURIComponent(words)}`)
  return json.content_blocks.map(({ title }: { title: string }) => title)
}

describe('the words of a block', () => {
  test("the words of a block are the lexemes that PostgreSQL's parser finds in it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text(), { minLength: 50, maxLength: 50 }), async (texts) => {
        const stored = texts.flatMap((one) => [one, sanitizeHtml(one)])
        const rows = stored.map((one) => ({ text: one, ...searchWordsOf(one) }))
        expect(await differences(rows)).toEqual([])
      }),
      runs(40),
    )
  })

  test('the words of a block are parsed by PostgreSQL only where they are not plain', () => {
    const body = '<p>The search (new!) is "out": see <a href="https://a.example">it</a>, v2.</p>'
    expect(searchWordsOf(body)).toEqual({
      words: ['the', 'search', 'new', 'is', 'out', 'see', 'it'],
      others: ', v2.',
    })
  })

  test('find it after ingest and after each change, and earlier words no longer do', async () => {
    const item = { title: 'Harvest', body: '<p>Twice-fast search, version 2.0.1</p>' }
    const { json } = await call('POST', '/webhooks/ingest', item)
    for (const words of ['harvest', 'SEARCH', 'fast', '2.0.1']) {
      expect([words, await titlesWith(words)]).toEqual([words, ['Harvest']])
    }
    await call('PATCH', `/content_blocks/${json.content_block.id}`, { body: '<p>Apples</p>' })
    expect(await titlesWith('search')).toEqual([])
    expect(await titlesWith('harvest apples')).toEqual(['Harvest'])
    await call('PATCH', `/content_blocks/${json.content_block.id}`, { title: 'Orchard' })
    expect(await titlesWith('harvest')).toEqual([])
    expect(await titlesWith('orchard apples')).toEqual(['Orchard'])
  })
})

/** The texts whose lexemes differ; a lexeme without letters and digits finds nothing. */
async function differences(rows: readonly { text: string; words: string[]; others: string }[]) {
  const found = await app.sql<{ text: string; parsed: string[]; given: string[] }[]>`
    select r.text, tsvector_to_array(word_lexemes(r.text) || 'team') as parsed,
      tsvector_to_array(block_lexemes('team', r.words, r.others)) as given
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (text text, words text[], others text)`
  const readable = (lexemes: string[]) => lexemes.filter((one) => /[\p{L}\p{N}]/u.test(one))
  return found
    .map(({ text, parsed, given }) => ({ text, parsed: readable(parsed), given: readable(given) }))
    .filter(({ parsed, given }) => parsed.join(' ') !== given.join(' '))
}

/** Words, numbers, addresses, markup and punctuation in any order. */
function text() {
  const parts = fc.constantFrom(
    ...[
      'word',
      'Word',
      'WORD',
      'word.',
      'word,',
      'word...',
      '(word)',
      '"word."',
      "'word'",
      'word/',
    ],
    ...['twice-fast', "don't", 'it’s', 'e.g.', 'C++', 'a+b', 'a=b', 'a:b', 'foo_bar', '`word`'],
    ...['v2.0.1', '3.14', '-5', '12:30', '2026-11-22', '1st', '10%', '$5', '#tag', '@ada'],
    ...['ada@acme.test', 'mailto:ada@acme.test', 'https://acme.test/a?x=1', 'acme.com', '/usr/bin'],
    ...['é', 'Übung', '日本語', 'テスト', 'ไทย', '\u00a0', '\u200b', '—', '…', '\u0001'],
    ...['&amp;', 'AT&amp;T', '&nbsp;', '<p>', '</p>', '<b>', '</b>', '<br>', '</a>', '<', '>'],
    ...[
      '<a href="https://acme.test/x?y=1&amp;z=2">',
      '<img alt="two words" src="https://a.test/">',
    ],
    ...['<!-- word -->', '<x y>', 'a < b and c > d'],
  )
  const gap = fc.constantFrom('', ' ', ' ', ' ', '\n', '\t', ', ', '. ')
  return fc.array(fc.tuple(parts, gap), { maxLength: 20 }).map((pairs) =>
    pairs
      .map((pair) => pair.join(''))
      .join('')
      .normalize('NFC'),
  )
}
