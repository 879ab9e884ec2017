import { expect, test } from 'bun:test'
import { dirname } from 'node:path'
import { Glob } from 'bun'
import { cruise } from 'dependency-cruiser'
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'

test('every import is allowed by the layers of the source folders', async () => {
  const options = await extractDepcruiseOptions(`${import.meta.dir}/../../.dependency-cruiser.cjs`)
  const { output } = await cruise(['src', 'integrations'], options)
  if (typeof output === 'string') throw new Error(output)
  expect(output.summary.violations).toEqual([])
  // Zero modules break no rule either.
  expect(output.summary.totalCruised).toBeGreaterThan(35)
})

test('a folder of the product has at most twelve source files; the API has one for each resource', async () => {
  const root = new URL('../..', import.meta.url).pathname
  const counts = new Map<string, number>()
  for await (const path of new Glob('{src,integrations}/**/*.{ts,tsx,js,css}').scan(root)) {
    const folder = dirname(path)
    if (folder !== 'src/api/v1') counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  expect([...counts].filter(([, count]) => count > 12)).toEqual([])
  expect(counts.size).toBeGreaterThan(100)
})
