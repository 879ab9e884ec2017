import { join } from 'node:path'
import * as v from 'valibot'
import type { Adapter } from './kit/adapter.ts'

/**
 * Every adapter in the folders beside this file, by slug. A folder whose adapter does not look like
 * one, or whose slug is not the folder's name, is a mistake of ours and throws.
 */
export async function loadAdapters(
  directory = import.meta.dir,
): Promise<ReadonlyMap<string, Adapter>> {
  const files = await Array.fromAsync(new Bun.Glob('*/adapter.ts').scan({ cwd: directory }))
  const providers = files.filter((file) => !file.startsWith('kit'))
  const adapters = providers.toSorted().map(async (file): Promise<[string, Adapter]> => {
    const module: { adapter?: unknown } = await import(join(directory, file))
    const [folder = ''] = file.split(/[\\/]/)
    if (!isAdapter(module.adapter, folder))
      throw new Error(`${file} must export an adapter whose slug is "${folder}"`)
    return [folder, module.adapter]
  })
  return new Map(await Promise.all(adapters))
}

const AdapterShape = v.object({
  slug: v.string(),
  name: v.string(),
  category: v.string(),
  settings: v.object({ kind: v.literal('schema'), entries: v.record(v.string(), v.unknown()) }),
  receive: v.function(),
  compose: v.function(),
})

/**
 * Each adapter knows its own settings and events; the host sees them all alike. That is sound, since
 * the host makes up neither: it hands an adapter only settings which its schema parsed and events
 * which its `receive` gave.
 */
function isAdapter(value: unknown, slug: string): value is Adapter {
  return v.is(AdapterShape, value) && value.slug === slug
}
