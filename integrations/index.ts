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
    const [folder = ''] = file.split(/[\\/]/)
    return [folder, await loadAdapter(folder, directory)]
  })
  return new Map(await Promise.all(adapters))
}

/** Loads the adapter in one folder. Throws as `loadAdapters`. */
export async function loadAdapter(slug: string, directory = import.meta.dir): Promise<Adapter> {
  const file = join(slug, 'adapter.ts')
  const module: { adapter?: unknown } = await import(join(directory, file))
  if (!isAdapter(module.adapter, slug))
    throw new Error(`${file} must export an adapter whose slug is "${slug}"`)
  return module.adapter
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
