/**
 * `bun run sbom` lists what an installation contains: it installs the packages without those for
 * development in a temporary folder, and writes `sbom.json` (CycloneDX 1.6, https://cyclonedx.org) and
 * `licenses.md`. The first argument is the folder for both, by default the present one.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import parseExpression from 'spdx-expression-parse'
import * as v from 'valibot'
import project from '../package.json' with { type: 'json' }

const Manifest = v.object({
  name: v.string(),
  version: v.string(),
  // Old packages give an object.
  license: v.optional(
    v.union([
      v.string(),
      v.pipe(
        v.object({ type: v.string() }),
        v.transform(({ type }) => type),
      ),
    ]),
    'not stated',
  ),
})
type Manifest = v.InferOutput<typeof Manifest>

const root = new URL('..', import.meta.url).pathname
const folder = process.argv[2] ?? '.'
const manifests = await installedPackages()
await Bun.write(join(folder, 'sbom.json'), sbomOf(manifests))
await Bun.write(join(folder, 'licenses.md'), licensesOf(manifests))
process.stdout.write(`${manifests.length} packages: sbom.json and licenses.md\n`)

/** The manifests of all packages that `bun install --production` installs, by name and version. */
async function installedPackages(): Promise<Manifest[]> {
  const directory = await mkdtemp(join(tmpdir(), 'tidings-sbom-'))
  try {
    for (const name of ['package.json', 'bun.lock', 'patches']) {
      await cp(join(root, name), join(directory, name), { recursive: true })
    }
    await Bun.$`bun install --frozen-lockfile --production --ignore-scripts`.cwd(directory).quiet()
    return await readManifests(join(directory, 'node_modules'))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function readManifests(directory: string): Promise<Manifest[]> {
  const glob = new Bun.Glob('**/package.json')
  const found = new Map<string, Manifest>()
  for await (const path of glob.scan({ cwd: directory })) {
    // Packages also contain manifests of their parts, which have no version of their own.
    const parsed = v.safeParse(Manifest, await Bun.file(join(directory, path)).json())
    if (parsed.success && path.endsWith(`${parsed.output.name}/package.json`)) {
      found.set(`${parsed.output.name}@${parsed.output.version}`, parsed.output)
    }
  }
  return [...found.entries()].toSorted(([a], [b]) => a.localeCompare(b)).map(([, one]) => one)
}

function sbomOf(all: readonly Manifest[]): string {
  const { Application, Library } = Enums.ComponentType
  const { ComponentBuilder } = Contrib.FromNodePackageJson.Builders
  const { ExternalReferenceFactory } = Contrib.FromNodePackageJson.Factories
  const builder = new ComponentBuilder(
    new ExternalReferenceFactory(),
    new Contrib.License.Factories.LicenseFactory((expression) => void parseExpression(expression)),
  )
  const application = new Models.Component(Application, project.name, { version: project.version })
  const bom = new Models.Bom()
  bom.metadata.timestamp = new Date()
  bom.metadata.component = application
  for (const manifest of all) {
    const component = builder.makeComponent(manifest, Library)
    if (!component) continue
    component.bomRef.value = `${manifest.name}@${manifest.version}`
    component.purl = `pkg:npm/${manifest.name.replace('@', '%40')}@${manifest.version}`
    bom.components.add(component)
    application.dependencies.add(component.bomRef)
  }
  const format = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
  return new Serialize.JsonSerializer(format).serialize(bom, { sortLists: true, space: 2 })
}

function licensesOf(all: readonly Manifest[]): string {
  const rows = all.map((one) => `| ${one.name} | ${one.version} | ${one.license} |`)
  return [
    '# Licenses of the packages in an installation',
    '',
    '| Package | Version | License |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
