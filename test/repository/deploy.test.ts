import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { loadConfig } from '../../src/config/index.ts'

const root = new URL('../..', import.meta.url).pathname
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
    (await read('src/config/variables.ts')).match(
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

interface Manifest {
  kind: string
  data?: Record<string, string>
  stringData?: Record<string, string>
  spec?: {
    selector?: Record<string, unknown>
    ports?: { targetPort: string }[]
    template?: { metadata: { labels: Record<string, string> }; spec: { containers: Container[] } }
  }
}
interface Container {
  env: { name: string; value: string }[]
  ports: { name: string }[]
  readinessProbe?: { httpGet: { path: string; port: string } }
  startupProbe?: {
    httpGet: { path: string; port: string }
    periodSeconds: number
    failureThreshold: number
  }
  livenessProbe: { httpGet: { path: string; port: string } }
}

/** The text is the repository's own file, whose shape these tests rely on. */
const manifestsOf = async () => Bun.YAML.parse(await read('deploy/kubernetes.yaml')) as Manifest[]

test('Kubernetes lets a process migrate the database, or wait for that, for a day before it kills it', async () => {
  const pods = (await manifestsOf()).flatMap(({ spec }) => spec?.template ?? [])
  const containers = pods.flatMap(({ spec }) => spec.containers)
  expect(containers).toHaveLength(2)
  for (const { startupProbe, livenessProbe } of containers) {
    const { httpGet, periodSeconds = 0, failureThreshold = 0 } = startupProbe ?? {}
    expect(httpGet).toEqual(livenessProbe.httpGet)
    expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(86_400)
  }
})

test('the settings of both Kubernetes deployments are accepted once their empty values are set, and what refers to pods finds them', async () => {
  const manifests = await manifestsOf()
  const examples: Record<string, string> = {
    TIDINGS_SECRET: randomBytes(32).toString('base64'),
    DATABASE_URL: 'postgres://tidings:password@db.example.com/tidings',
    SMTP_URL: 'smtp://mail.example.com',
    MAIL_FROM: 'news@example.com',
  }
  const shared = manifests.flatMap(({ data = {}, stringData = {} }) =>
    Object.entries({ ...data, ...stringData }).map(([name, value]) => [
      name,
      value === '' ? (examples[name] ?? 'a value') : value,
    ]),
  )
  const pods = manifests.flatMap(({ spec }) => spec?.template ?? [])
  const containers = pods.flatMap(({ spec }) => spec.containers)
  const roles = containers.map(({ env }) => {
    const own = env.map(({ name, value }) => [name, value])
    return loadConfig(Object.fromEntries([...shared, ...own])).role
  })
  expect(roles).toEqual(['web', 'worker'])
  for (const { ports, readinessProbe, livenessProbe } of containers) {
    const names = ports.map(({ name }) => name)
    expect(names).toContain(livenessProbe.httpGet.port)
    expect(readinessProbe?.httpGet.path ?? '/readyz').toBe('/readyz')
  }
  const service = manifests.find(({ kind }) => kind === 'Service')?.spec
  const labels = pods.map(({ metadata }) => JSON.stringify(metadata.labels))
  expect(labels).toContain(JSON.stringify(service?.selector))
  expect(service?.ports?.map(({ targetPort }) => targetPort)).toEqual(['http'])
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
