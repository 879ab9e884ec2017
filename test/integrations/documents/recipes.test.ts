import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { startApp, type TestApp } from '../../support/app.ts'

// Every recipe is followed as it is written: its own address, headers and fields, filled with its
// own example item, sent to a running service twice.

const folder = join(import.meta.dir, '../../../integrations/recipes')
const read = (file: string) => Bun.file(join(folder, file)).text()
const documented = 'https://news.acme.test'

interface Sent {
  url: string
  headers: Record<string, string>
  body: Record<string, string>
}

const Texts = v.record(v.string(), v.string())
const Item = v.record(v.string(), v.union([v.string(), v.number()]))
type Item = v.InferOutput<typeof Item>

let app: TestApp
let key: string
beforeAll(async () => {
  app = await startApp()
  key = await app.key(await app.team(), ['write'], { ingest_only: true })
})
afterAll(() => app.close())

describe('recipes for no-code tools', () => {
  test.each<[string, () => Promise<Sent>]>([
    ['curl', curl],
    ['zapier', () => fromTable('zapier.md', 'Data')],
    ['make', () => fromTable('make.md', 'Data structure')],
    ['n8n', n8n],
    ['power-automate', powerAutomate],
  ])('the recipe for %s creates one block, however often it runs', async (_, recipe) => {
    const sent = await recipe()
    const [first, again] = [await post(sent), await post(sent)]
    expect([first.status, again.status]).toEqual([201, 200])
    expect(first.json).toMatchObject({
      duplicate: false,
      content_block: { title: sent.body['title'], body: sent.body['body'], source: 'webhook' },
    })
    expect(again.json).toMatchObject({ duplicate: true })
  })

  test('the recipe for github-actions creates one block, however often it runs', async () => {
    const release = { id: 88, name: 'Tideline 2.0', tag_name: 'v2', body: 'Notes: "new".\n`$(id)`' }
    const first = await runWorkflow(release)
    expect(first).toStartWith('201 ')
    expect(JSON.parse(first.slice(4))).toMatchObject({
      content_block: { title: 'tideline Tideline 2.0 released', body: release.body },
    })
    expect(await runWorkflow(release)).toStartWith('200 ')
    expect(
      await runWorkflow({ ...release, id: 89, name: '', body: '🌊'.repeat(60_000) }),
    ).toStartWith('201 ')
  })
})

test('the workflow for github-actions announces no pre-release before it becomes a release', async () => {
  const workflow = v.parse(Actions, Bun.YAML.parse(await read('github-actions.yml')))
  expect(workflow.on.release.types).toEqual(['published', 'released'])
  expect(workflow.jobs.announce.if).toBe('github.event.release.prerelease == false')
})

test('every recipe has a line in the list of recipes', async () => {
  const pages = [...new Bun.Glob('*.md').scanSync(folder)].filter((file) => file !== 'README.md')
  const list = await read('README.md')
  expect(pages.length).toBeGreaterThan(5)
  for (const page of pages) expect(list).toContain(`(${page})`)
})

async function post({ url, headers, body }: Sent) {
  expect(url).toStartWith(`${documented}/`)
  const named = Object.keys(headers).map((name) => name.toLowerCase())
  expect(named).toContain('content-type')
  const keyed = Object.entries(headers).map(([name, value]) => [
    name,
    value.replace('<your key>', key),
  ])
  const response = await fetch(url.replace(documented, app.base), {
    method: 'POST',
    headers: v.parse(Texts, Object.fromEntries(keyed)),
    body: JSON.stringify(body),
  })
  return { status: response.status, json: await response.json() }
}

/** The code of a page in one language, in the order of its blocks. */
const codeIn = (page: string, language: string) =>
  [...page.matchAll(new RegExp(`^ *\`\`\`${language}\n([\\s\\S]*?)^ *\`\`\``, 'gm'))].map(
    ([, code = '']) => code,
  )

/** A template with the fields of an item in their places, which are all there. */
const filled = (template: string, item: Item, place: RegExp) =>
  template.replace(place, (_, name: string) => {
    if (item[name] === undefined) throw new Error(`the example item has no ${name}`)
    return String(item[name])
  })

/** The words of a shell command, with its variables in double quotes put in. */
function words(command: string, variables: Record<string, string>): string[] {
  const word = /'([^']*)'|"([^"]*)"|([^\s'"]+)/g
  return [...command.replaceAll('\\\n', ' ').matchAll(word)].map(
    ([, single, double, bare = '']) =>
      single ??
      double?.replace(/\$(\w+)/g, (_, name: string) => variables[name] ?? `no ${name}`) ??
      bare,
  )
}

async function curl(): Promise<Sent> {
  const [settings = '', command = ''] = codeIn(await read('curl.md'), 'sh')
  const variables = Object.fromEntries(
    [...settings.matchAll(/^export (\w+)=(.+)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
  const [program, , url = '', ...rest] = words(command, variables)
  expect(program).toBe('curl')
  const after = (option: string) =>
    rest.flatMap((one, at) => (one === option ? [rest[at + 1] ?? ''] : []))
  const headers = after('-H').map((header) => header.split(': '))
  return {
    url,
    headers: v.parse(Texts, Object.fromEntries(headers)),
    body: v.parse(Texts, JSON.parse(after('-d').join(''))),
  }
}

/** A form, as a table of what to enter; the tool itself says that it sends JSON. */
async function fromTable(file: string, data: string): Promise<Sent> {
  const page = await read(file)
  const item = v.parse(Item, JSON.parse(codeIn(page, 'json')[0] ?? ''))
  const rows = [...page.matchAll(/^ *\| ([\w ]+?) *\| (?:`([^`]+)`)? *\| `([^`]+)` *\|$/gm)]
  const named = (field: string) =>
    Object.fromEntries(
      rows.filter((row) => row[1] === field).map(([, , name = '', value = '']) => [name, value]),
    )
  const values = Object.entries(named(data)).map(([name, template]) => [
    name,
    filled(template, item, /\{\{(?:1\.)?(\w+)\}\}/g),
  ])
  return {
    url: named('URL')[''] ?? '',
    headers: { 'content-type': 'application/json', ...named('Headers') },
    body: v.parse(Texts, Object.fromEntries(values)),
  }
}

const Pair = v.object({ name: v.string(), value: v.string() })
const Workflow = v.object({
  nodes: v.array(v.object({ name: v.string(), parameters: v.record(v.string(), v.unknown()) })),
  connections: v.record(
    v.string(),
    v.object({ main: v.tuple([v.tuple([v.object({ node: v.string() })])]) }),
  ),
  pinData: v.record(v.string(), v.tuple([v.object({ json: Item })])),
})
const Request = v.object({
  method: v.literal('POST'),
  url: v.string(),
  contentType: v.literal('json'),
  bodyParameters: v.object({ parameters: v.array(Pair) }),
})

async function n8n(): Promise<Sent> {
  const { nodes, connections, pinData } = v.parse(Workflow, JSON.parse(await read('n8n.json')))
  const [start = '', pinned] = Object.entries(pinData)[0] ?? []
  const next = connections[start]?.main[0][0].node
  const node = nodes.find(({ name }) => name === next)
  const { url, bodyParameters } = v.parse(Request, node?.parameters)
  const credential = /the \*\*Name\*\* `(\w+)` and the \*\*Value\*\* `([^`]+)`/
  const [, name = '', value = ''] = credential.exec(await read('n8n.md')) ?? []
  // An expression begins with "=".
  const body = bodyParameters.parameters.map((field): [string, string] => [
    field.name,
    field.value.startsWith('=')
      ? filled(field.value.slice(1), pinned?.[0].json ?? {}, /\{\{ \$json\.(\w+) \}\}/g)
      : field.value,
  ])
  return {
    url,
    headers: { 'content-type': 'application/json', [name]: value },
    body: Object.fromEntries(body),
  }
}

const Action = v.object({
  inputs: v.object({
    uri: v.string(),
    method: v.literal('POST'),
    headers: Texts,
    body: Texts,
  }),
})

async function powerAutomate(): Promise<Sent> {
  const [action = '', example = ''] = codeIn(await read('power-automate.md'), 'json')
  const item = v.parse(Item, JSON.parse(example))
  const { uri, headers, body } = v.parse(Action, JSON.parse(action)).inputs
  const mapped = (fields: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, template]) => [
        name,
        filled(template, item, /@\{triggerBody\(\)\?\['(\w+)'\]\}/g),
      ]),
    )
  return { url: uri, headers: mapped(headers), body: mapped(body) }
}

const Actions = v.object({
  on: v.object({ release: v.object({ types: v.array(v.string()) }) }),
  jobs: v.object({
    announce: v.object({
      if: v.string(),
      steps: v.tuple([v.object({ env: Texts, shell: v.literal('node {0}'), run: v.string() })]),
    }),
  }),
})

/** Runs the step of the workflow as a runner would, and gives what it logs. */
async function runWorkflow(release: object): Promise<string> {
  const workflow = v.parse(Actions, Bun.YAML.parse(await read('github-actions.yml')))
  const [{ env, run }] = workflow.jobs.announce.steps
  expect(env['TIDINGS_KEY']).toMatch(/^\$\{\{ secrets\.TIDINGS_KEY \}\}$/)
  const directory = await mkdtemp(join(tmpdir(), 'recipe-'))
  try {
    const [script, event] = [join(directory, 'step.cjs'), join(directory, 'event.json')]
    await Bun.write(script, run)
    const repository = { name: 'tideline', full_name: 'marlowe-labs/tideline' }
    const html_url = 'https://github.com/marlowe-labs/tideline/releases/tag/v2'
    await Bun.write(event, JSON.stringify({ release: { html_url, ...release }, repository }))
    const step = Bun.spawn([process.execPath, script], {
      env: { TIDINGS_URL: app.base, TIDINGS_KEY: key, GITHUB_EVENT_PATH: event },
    })
    return await new Response(step.stdout).text()
  } finally {
    await rm(directory, { recursive: true })
  }
}
