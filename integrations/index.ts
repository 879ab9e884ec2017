import { join } from 'node:path'
import * as v from 'valibot'
import type { Adapter } from './kit/adapter.ts'

/**
 * Loads the adapters in the folders beside this file, by slug. Throws when a folder contains no
 * adapter or when the slug differs from the name of the folder.
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
 * Each adapter has its own types of settings and events, which the host does not know. The cast is
 * safe: the host passes only settings that the schema of the adapter parsed and events that its
 * `receive` returned.
 */
function isAdapter(value: unknown, slug: string): value is Adapter {
  return v.is(AdapterShape, value) && value.slug === slug
}
