import { expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadAdapters } from '../../integrations/index.ts'

const index = join(import.meta.dir, '../../integrations/index.ts')

test('adapters are found by their folders, whatever the working directory of the process is', async () => {
  const script = `const { loadAdapters } = await import(${JSON.stringify(index)})
    process.stdout.write(String((await loadAdapters()).has("github")))`
  const found = Bun.spawn([process.execPath, '-e', script], { cwd: '/', stdout: 'pipe' })
  expect((await new Response(found.stdout).text()).trim()).toBe('true')
})

test.each([
  ['another slug', 'export const adapter = { slug: "other", settings: {} }'],
  ['no adapter', 'export const nothing = 1'],
])('the error for an adapter folder with %s names the folder', async (_, source) => {
  const directory = await mkdtemp(join(tmpdir(), 'adapters-'))
  try {
    await mkdir(join(directory, 'lantern'))
    await Bun.write(join(directory, 'lantern/adapter.ts'), source)
    await expect(loadAdapters(directory)).rejects.toThrow('lantern/adapter.ts')
  } finally {
    await rm(directory, { recursive: true })
  }
})
