import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { loadAdapters } from '../../../integrations/index.ts'
import type { Adapter } from '../../../integrations/kit/adapter.ts'
import { post, runAdapter } from '../../support/adapters.ts'
import { casesIn, checkFixture } from '../../support/fixtures.ts'

const house = resolve(import.meta.dir, '../../..')
const guide = await Bun.file(join(house, 'integrations/README.md')).text()

/** The files that the guide has the reader write: a path alone on a line, and the code below it. */
const files = [...guide.matchAll(/^`(beacon\/[\w./]+)`\n\n```\w+\n([\s\S]*?)^```$/gm)]

let root: string
let beacon: Adapter
const directory = () => join(root, 'integrations')
const folder = () => join(directory(), 'beacon')

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'guide-'))
  await mkdir(join(root, 'integrations'))
  await mkdir(join(root, 'src'))
  for (const path of ['node_modules', 'src/contract'])
    await symlink(join(house, path), join(root, path))
  await symlink(join(house, 'integrations/kit'), join(root, 'integrations/kit'))
  for (const [, path = '', code = ''] of files) {
    await mkdir(dirname(join(root, 'integrations', path)), { recursive: true })
    await Bun.write(join(root, 'integrations', path), code)
  }
  const found = (await loadAdapters(join(root, 'integrations'))).get('beacon')
  if (found === undefined) throw new Error('the guide makes no adapter')
  beacon = found
})
afterAll(() => rm(root, { recursive: true }))

describe('the adapter of the integration guide', () => {
  test('the adapter of the guide is the only one in its folder and changes no other folder', async () => {
    expect((await loadAdapters(join(root, 'integrations'))).size).toBe(1)
    for (const [, path = ''] of files) expect(path).toStartWith('beacon/')
  })

  test('the fixtures of the adapter in the guide have their expected outcomes', async () => {
    const cases = casesIn(join(folder(), 'fixtures'))
    expect(cases).toEqual(['internal', 'launched'])
    for (const name of cases) await checkFixture(beacon, directory(), name)
  })

  test('the adapter of the guide stores only the fields that it reads and refuses unsigned requests', async () => {
    const { headers, body } = await Bun.file(join(folder(), 'fixtures/launched.json')).json()
    const settings = await Bun.file(join(folder(), 'fixtures/settings.json')).json()
    const { sign } = await import(join(folder(), 'fixtures/sign.ts'))
    const raw = JSON.stringify(body)
    const send = (more: object) => runAdapter(beacon, post({ ...headers, ...more }, raw), settings)

    const { stored, outcome } = await send(sign(raw, settings))
    for (const leak of ['Marlowe', '41200', 'ines@beacon.example', '771'])
      expect(JSON.stringify([stored, outcome])).not.toContain(leak)
    expect((await send({})).outcome).toMatchObject({ rejected: 401 })
    const forged = sign(raw, { secret: 'another' })
    expect((await send(forged)).outcome).toMatchObject({ rejected: 401 })
    const other = { ...sign(raw, settings), 'x-beacon-event': 'feature.dreamt' }
    expect((await send(other)).outcome).toEqual({ unknown: 'feature.dreamt' })
  })

  test('the adapter of the guide is formatted as `check` wants it', async () => {
    await Bun.write(join(root, 'biome.json'), Bun.file(join(house, 'biome.json')))
    const biome = join(house, 'node_modules/.bin/biome')
    const run = Bun.spawn(
      [biome, 'check', '--error-on-warnings', '--vcs-enabled=false', folder()],
      {
        cwd: root,
        stdout: 'pipe',
        stderr: 'pipe',
      },
    )
    expect(await new Response(run.stdout).text()).toBe('')
    expect(await run.exited).toBe(0)
  })

  test('the adapter of the guide compiles without errors', async () => {
    const config = { extends: join(house, 'tsconfig.json'), include: [folder()] }
    await Bun.write(join(root, 'tsconfig.json'), JSON.stringify(config))
    const compiler = join(house, 'node_modules/typescript-native/bin/tsc')
    const run = Bun.spawn([process.execPath, compiler, '-p', root], { cwd: root, stdout: 'pipe' })
    expect(await new Response(run.stdout).text()).toBe('')
    expect(await run.exited).toBe(0)
  })
})

test('every adapter with a README has a line with a link in the integration catalog', async () => {
  const pages = [...new Bun.Glob('*/README.md').scanSync(join(house, 'integrations'))]
  const slugs = pages.map(dirname).filter((slug) => slug !== 'recipes')
  expect(slugs.length).toBeGreaterThanOrEqual(15)
  const adapters = await loadAdapters()
  for (const slug of slugs) {
    expect(guide).toContain(`[${slug}](${slug}/README.md)`)
    expect(adapters.has(slug)).toBe(true)
  }
})
