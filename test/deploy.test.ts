import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { loadConfig } from '../src/config.ts'

const root = new URL('..', import.meta.url).pathname
const read = (path: string) => Bun.file(`${root}${path}`).text()

interface ComposeFile {
  services: Record<string, { environment: Record<string, string> }>
}

/** A setting as Compose passes it on: the default of `${NAME:-default}`, or a value for `${NAME}`. */
const withValues = (text: string) =>
  text
    .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
    .replaceAll(/\$\{TIDINGS_SECRET[^}]*\}/g, randomBytes(32).toString('base64'))
    .replaceAll(/\$\{\w+[^}]*\}/g, 'news.example.com')

async function environmentsOf(path: string): Promise<[string, Record<string, string>][]> {
  // The text is the repository's own file, whose shape this test relies on.
  const { services } = Bun.YAML.parse(await read(path)) as ComposeFile
  const own = Object.entries(services).filter(([name]) => /^(tidings|web|worker)/.test(name))
  return own.map(([name, { environment }]) => [name, environment])
}

const settingsInCode = async () =>
  new Set(
    (await read('src/config.ts')).match(
      /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|\b(?:ROLE|HOST|PORT)\b/g,
    ),
  )

test.each([
  ['compose.yaml', ['tidings']],
  ['deploy/compose.yaml', ['web-1', 'web-2', 'worker']],
])('the settings in %s exist and are accepted', async (path, services) => {
  const environments = await environmentsOf(path)
  expect(environments.map(([name]) => name)).toEqual(services)
  const known = await settingsInCode()
  for (const [name, environment] of environments) {
    expect(Object.keys(environment).filter((setting) => !known.has(setting))).toEqual([])
    const values = Object.entries(environment).map(([key, value]) => [key, withValues(value)])
    const { role } = loadConfig(Object.fromEntries(values))
    expect(role).toBe(name === 'tidings' ? 'all' : name === 'worker' ? 'worker' : 'web')
  }
})

test('the settings in the Kubernetes manifests exist', async () => {
  const names = (await read('deploy/kubernetes.yaml')).match(/^ {2}[A-Z][A-Z0-9_]+(?=:)/gm) ?? []
  const known = await settingsInCode()
  expect(names.length).toBeGreaterThan(8)
  expect(names.map((name) => name.trim()).filter((name) => !known.has(name))).toEqual([])
})

test('the container image contains the source, the adapters and no packages for development', async () => {
  const dockerfile = await read('Dockerfile')
  const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
    ([, paths = '']) => paths.split(' '),
  )
  expect(sources).toContain('src')
  expect(sources).toContain('integrations')
  expect(sources.filter((path) => !existsSync(`${root}${path}`))).toEqual([])
  expect(dockerfile).toContain('--production')
  expect(dockerfile).toContain('USER bun')
})
