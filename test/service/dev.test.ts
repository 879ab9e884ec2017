import { expect, test } from 'bun:test'
import { cp, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createDataDir, startProcess } from '../support/processes/process.ts'
import { until } from '../support/until.ts'

const house = join(import.meta.dir, '../..')

/** An adapter that answers GET, which no unknown adapter does. */
const adapter = `import * as v from 'valibot'
import { defineAdapter } from '../kit/adapter.ts'

export const adapter = defineAdapter({
  slug: 'beacon',
  name: 'Beacon',
  category: 'tracker',
  settings: v.object({}),
  methods: ['GET'],
  receive: async () => ({ kind: 'unknown', eventName: 'none' }),
  compose: async () => ({ kind: 'ignored', reason: 'none' }),
})
`

/** The sources in a folder of their own, so that a test can add files. */
async function copySources(folder: string): Promise<string> {
  const root = join(folder, 'sources')
  await mkdir(root)
  for (const name of ['src', 'integrations', 'package.json', 'tsconfig.json'])
    await cp(join(house, name), join(root, name), { recursive: true })
  await symlink(join(house, 'node_modules'), join(root, 'node_modules'))
  return root
}

test('bun run dev restarts the service when the folder of an adapter is added', async () => {
  const folder = await createDataDir()
  const root = await copySources(folder.path)
  const script = join(root, 'src/dev.ts')
  const service = startProcess(join(folder.path, 'data'), {}, { script })
  const status = () =>
    fetch(`${service.url() ?? 'http://127.0.0.1:1'}/hooks/beacon/token`).then(
      (response) => response.status,
      () => null,
    )
  try {
    await until(async () => (await status()) === 405)
    await Bun.write(join(root, 'integrations/beacon/adapter.ts'), adapter)
    await until(async () => (await status()) === 404)
    service.process.kill('SIGTERM')
    expect(await service.exited).toBe(0)
  } finally {
    service.process.kill('SIGKILL')
    await service.exited
    await folder.remove()
  }
})
