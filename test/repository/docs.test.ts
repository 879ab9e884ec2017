import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { Glob } from 'bun'
import { statusOf } from '../../src/lib/http/index.ts'
import { startApp } from '../support/app.ts'

const root = join(import.meta.dir, '../..')
const documents = ['README.md', 'CONTRIBUTING.md', '{docs,integrations,bench}/**/*.md']
  .flatMap((pattern) => [...new Glob(pattern).scanSync(root)])
  .toSorted()

const read = (path: string) => Bun.file(join(root, path)).text()
const withoutCode = (markdown: string) => markdown.replaceAll(/^```[\s\S]*?^```|`[^`\n]*`/gm, '')

/** The anchors that GitHub gives to the headings of a document. */
const anchorsOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** Links to files of this repository that lead nowhere. */
async function brokenLinks(document: string): Promise<string[]> {
  const targets = [...withoutCode(await read(document)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
  const broken = targets.map(async (target) => {
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? document : normalize(join(dirname(document), path))
    if (!existsSync(join(root, file))) return true
    return anchor !== undefined && !anchorsOf(await read(file)).includes(anchor)
  })
  const results = await Promise.all(broken)
  return targets.filter((_, index) => results[index])
}

/** The adapter that the reader of the guide in `integrations/README.md` creates. */
const exampleAdapter = 'integrations/beacon'

/** Paths in code that do not exist; `<provider>` and `*` stand for any name. */
async function missingPaths(document: string): Promise<string[]> {
  const code = [...(await read(document)).matchAll(/^```[\s\S]*?^```|`[^`\n]+`/gm)]
  return code
    .flatMap(([text]) => text.split(/[\s`'"()]+/))
    .filter((word) => /^(?:src|test|integrations|docs|bench|patches)\/[\w./*<>@-]+$/.test(word))
    .filter((path) => !path.startsWith(exampleAdapter) && !exists(path))
}

function exists(path: string): boolean {
  const pattern = path.replaceAll(/<[^>]+>/g, '*').replace(/\/$/, '')
  if (!pattern.includes('*')) return existsSync(join(root, pattern))
  return new Glob(pattern).scanSync({ cwd: root, onlyFiles: false }).next().done === false
}

describe.each(documents)('the document %s', (document) => {
  test('links only to files and headings that exist', async () => {
    expect(await brokenLinks(document)).toEqual([])
  })

  test('names only files and folders that exist', async () => {
    expect(await missingPaths(document)).toEqual([])
  })
})

test('docs/operating.md runs the commands that need a stopped service in containers of their own', async () => {
  const text = await read('docs/operating.md')
  for (const command of ['restore', 'secret rotate', 'secret replace']) {
    const lines = text.split('\n').filter((line) => line.includes(`bun src/cli.ts ${command}`))
    expect({ command, lines: lines.length }).not.toEqual({ command, lines: 0 })
    for (const line of lines) expect(line).toContain('docker compose run --rm ')
  }
})

test('every decision is in the list of decisions', async () => {
  const list = await read('docs/adr/README.md')
  const decisions = documents.filter((path) => /^docs\/adr\/\d/.test(path))
  expect(decisions.filter((path) => !list.includes(`(${path.slice('docs/adr/'.length)})`))).toEqual(
    [],
  )
})

/** As much of an OpenAPI document as is read here. */
interface OpenApi {
  paths: Record<string, Record<string, unknown>>
}

test('docs/api.md lists the endpoints of the OpenAPI document and no others', async () => {
  const app = await startApp()
  const document: OpenApi = JSON.parse(await (await fetch(`${app.base}/openapi.json`)).text())
  await app.close()
  const served = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/api/v1/'))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${path.slice('/api/v1'.length)}`,
      ),
    )
  const rows = [...(await read('docs/api.md')).matchAll(/^\| `([A-Z]+ \/[^`]+)`/gm)]
  expect(rows.map(([, endpoint = '']) => endpoint).toSorted()).toEqual(served.toSorted())
})

describe('docs/threats.md', () => {
  const threats = Array.from(
    { length: 70 },
    (_, index) => `T-${String(index + 1).padStart(2, '0')}`,
  )

  test('docs/threats.md has an entry for each of the seventy threats, in their order, and then for later ones', async () => {
    const entries = [...(await read('docs/threats.md')).matchAll(/^## (T-\d\d): /gm)]
    expect(entries.map(([, threat]) => threat ?? '').slice(0, threats.length)).toEqual(threats)
  })

  test('docs/threats.md names for each threat a test that exists, or says why there is none', async () => {
    const entries = (await read('docs/threats.md')).split(/^## /m).slice(1)
    const missing: string[] = []
    for (const entry of entries) {
      const [threat = '', ...lines] = entry.split('\n')
      const named = lines.flatMap((line) => /^- `([^`]+)`: "(.*)"$/.exec(line) ?? [])
      if (named.length === 0)
        expect({ threat, text: entry }).toEqual({
          threat,
          text: expect.stringMatching(/no test|do not exist yet|sends no/),
        })
      for (const line of lines.filter((one) => one.startsWith('- '))) {
        if (!(await testExists(line))) missing.push(`${threat.slice(0, 4)} ${line}`)
      }
    }
    expect(missing).toEqual([])
  })
})

test.each([
  ['docs/faults.md', 38],
  ['docs/field-trial.md', 54],
  ['docs/chat.md', 39],
] as const)(
  '%s has at least %i rows, each with tests that exist or a soak',
  async (document, least) => {
    const rows = (await read(document)).split('\n').filter((line) => /^\| [A-E]?\d/.test(line))
    const missing: string[] = []
    for (const row of rows) {
      const named = [...row.matchAll(/`test\/[^`]+`: "[^"]+"/g)].map(([name]) => `- ${name}`)
      if (named.length === 0 && !row.includes('soak')) missing.push(row)
      for (const line of named) if (!(await testExists(line))) missing.push(line)
    }
    expect(missing).toEqual([])
    expect(rows.length).toBeGreaterThanOrEqual(least)
  },
)

/** Whether the file of a line such as `- "file": "describe > test"` contains each part of the name. */
async function testExists(line: string): Promise<boolean> {
  const [, file = '', name = ''] = /^- `([^`]+)`: "(.*)"$/.exec(line) ?? []
  if (!existsSync(join(root, file))) return false
  const source = (await read(file)).replaceAll('\\', '')
  return name
    .split(' > ')
    .every((part) => ["'", '"', '`'].some((quote) => source.includes(`${quote}${part}${quote}`)))
}

test('docs/api.md lists every error code with its status', async () => {
  const rows = (await read('docs/api.md')).split('\n').filter((line) => /^\| \d{3}/.test(line))
  const listed = rows.flatMap((row) => {
    const [, statuses = '', codes = ''] = row.split('|')
    return [...codes.matchAll(/`(\w+)`/g)].map(([, code = '']) => ({ code, statuses }))
  })
  expect(listed.map(({ code }) => code).toSorted()).toEqual(Object.keys(statusOf).toSorted())
  for (const [code, status] of Object.entries(statusOf)) {
    const { statuses } = listed.find((one) => one.code === code) ?? {}
    expect([code, statuses]).toEqual([code, expect.stringContaining(String(status))])
  }
})
