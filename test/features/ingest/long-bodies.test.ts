import { expect, test } from 'bun:test'
import { Worker } from 'node:worker_threads'
import { renderMarkdown } from '../../../integrations/kit/markdown/markdown.ts'
import { convertBody } from '../../../src/features/content-blocks/index.ts'
import { createIngest } from '../../../src/features/ingest/index.ts'
import {
  renderWithoutDelay,
  renderWithWarnings,
} from '../../../src/features/newsletters/rendering/long-newsletters.ts'
import { createThread } from '../../../src/lib/concurrency/thread.ts'
import { connect } from '../../../src/lib/database/db.ts'
import { inputErrorsOf } from '../../../src/lib/errors.ts'
import { createLongBodies } from '../../../src/server/long-bodies.ts'
import { client, startApp } from '../../support/app.ts'
import { signedIn } from '../../support/console.ts'

test.each([
  ['long texts', 10_000, 3],
  ['a bulk request, which are long together', 500, 40],
])(
  'other requests have a turn of the event loop between the conversions of %s',
  async (_, words, many) => {
    const order: string[] = []
    const ingest = createIngest({
      // A preview without an external id reads nothing from the database.
      sql: connect('postgres://127.0.0.1:1/none', { name: 'tidings test' }),
      now: () => new Date(),
      renderMarkdown(markdown) {
        order.push('conversion')
        return `<p>${markdown}</p>`
      },
    })
    const caller = {
      keyId: 'key',
      firstKeyId: 'key',
      teamId: 'team',
      keyName: 'ci',
      allowAutoReady: false,
      provider: null,
    }
    const item = { title: 'Long', body: 'word '.repeat(words), body_format: 'markdown' as const }
    const countTurn = () => {
      order.push('turn')
      if (order.filter((step) => step === 'conversion').length < many) setImmediate(countTurn)
    }
    setImmediate(countTurn)
    const items = Array.from({ length: many }, () => ({ item, idempotencyKey: null }))
    await ingest.previewAll(caller, items)
    const [first, second, third] = order.flatMap((step, at) => (step === 'conversion' ? [at] : []))
    expect(order.slice(first, second)).toContain('turn')
    expect(order.slice(second, third)).toContain('turn')
  },
)

const convertLong = createLongBodies()

test('a thread converts a long body while the event loop goes on', async () => {
  const quotes = '> a\n\n'.repeat(10_000)
  let turns = 0
  let isConverted = false
  const converting = convertLong({ body: quotes, format: 'markdown' }).finally(() => {
    isConverted = true
  })
  while (!isConverted && turns < 1000) {
    turns++
    await new Promise(setImmediate)
  }
  expect((await converting)?.body).toStartWith('<blockquote>')
  // Two, if it were converted in turns of the event loop.
  expect(turns).toBeGreaterThan(20)
})

test.each([
  ['Markdown', { body: `# Head\n\n${'word '.repeat(9000)}`, format: 'markdown' }],
  ['HTML of which words are removed', { body: `<p>a <Bob> b</p>`.repeat(2000), format: 'html' }],
  ['plain text', { body: 'a < b '.repeat(9000), format: null }],
] as const)('a thread converts %s as the process does', async (_, body) => {
  expect(await convertLong(body)).toEqual(convertBody(body, renderMarkdown))
})

test('a thread renders a long newsletter as the process does, while the event loop goes on', async () => {
  const block = {
    title: 'A table',
    body: `<table>${'<tr><td>a</td></tr>'.repeat(1_000)}</table>`,
    body_format: 'html' as const,
    block_type: 'general',
    status: 'draft' as const,
    image_url: null,
    image_size: null,
  }
  const rendering = {
    template: { base: 'clean' as const, sections: [] },
    content: {
      title: 'News',
      subject_line: null,
      preheader_text: null,
      team: { name: 'Acme', brand_color: null },
      blocks: [block, block],
    },
    marked: true,
    warningsAt: new Date(),
  }
  let turns = 0
  let isRendered = false
  const rendered = renderWithoutDelay(rendering).finally(() => {
    isRendered = true
  })
  while (!isRendered && turns < 1000) {
    turns++
    await new Promise(setImmediate)
  }
  expect(await rendered).toEqual(renderWithWarnings(rendering))
  expect((await rendered).warnings.map(({ code }) => code)).toContain('missing_subject')
  expect(turns).toBeGreaterThan(20)
})

test('a thread converts the long text of a block that a program or a person writes', async () => {
  const app = await startApp()
  try {
    const team = await app.team()
    const call = client(app.base, await app.key(team, ['read', 'write']))
    const editor = await signedIn(app, team, 'editor')
    const body = `<p>A <Bob> b</p>${'<p>A long <b>text</b>.</p>'.repeat(1_500)}`
    const sent = { title: 'Long', body }
    const typed = { ...sent, block_type: 'general' }
    const created = await call('POST', '/content_blocks', sent)
    expect(created.status).toBe(201)
    expect(created.json.warnings[0]).toContain('bob')
    expect(app.longTexts()).toBe(1)
    const { id } = (await call('POST', '/content_blocks', { title: 'Short', body: 'Text' })).json
      .content_block
    const changed = await call('PATCH', `/content_blocks/${id}`, { body })
    expect(changed.json.content_block.body).toBe(created.json.content_block.body)
    expect(changed.json.warnings).toEqual(created.json.warnings)
    expect(app.longTexts()).toBe(2)
    const { location } = await editor.post('/library/new', typed)
    expect((await editor.get(`${location}`)).html).toContain('bob')
    await editor.post(`${location}/edit`, { ...typed, body: `${body}<p>More</p>`, version: '1' })
    expect(app.longTexts()).toBe(4)
  } finally {
    await app.close()
  }
})

test('a thread refuses a long body without content as the process does', async () => {
  const body = { body: '<script>a</script>'.repeat(2000), format: 'html' } as const
  const errors = await inputErrorsOf(() => convertLong(body))
  expect(errors).toMatchObject([{ pointer: '/body', code: 'empty' }])
  expect(errors).toEqual(await inputErrorsOf(() => convertBody(body, renderMarkdown)))
})

test('calls have no result when their thread ends or when too many wait, and the next call starts a thread', async () => {
  let started = 0
  const code = `const { parentPort } = require('node:worker_threads')
    parentPort.on('message', ({ id, input }) => {
      if (input === 'end') process.exit(1)
      parentPort.postMessage({ id, output: input + '!' })
    })`
  const call = createThread<string, string>(() => {
    started++
    return new Worker(code, { eval: true })
  }, 2)
  expect(await Promise.all([call('a'), call('b'), call('c')])).toEqual(['a!', 'b!', undefined])
  expect(await Promise.all([call('end'), call('d')])).toEqual([undefined, undefined])
  expect(await call('e')).toBe('e!')
  expect(started).toBe(2)
})
