import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'

export interface Asset {
  /** Where browsers get it; names the content, so that they may keep it for ever. */
  path: string
  type: string
  /** The file on disk. */
  file: string
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * A fixed list of files that pages load, `files` by the name in their address, each under a path with
 * a hash of its content. Nothing else is ever served. Throws when one is missing or of unknown type.
 */
export function findAssets<Name extends string>(
  prefix: string,
  files: Readonly<Record<Name, string>>,
): Record<Name, Asset> {
  const entries = Object.entries<string>(files).map(([name, file]) => {
    const type = types[extname(name)]
    if (!type) throw new Error(`No content type is known for ${name}`)
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12)
    return [name, { path: `${prefix}/${hash}/${name}`, type, file }]
  })
  return asNamed<Name>(Object.fromEntries(entries))
}

/** Sound because the entries were made from a record with these very names. */
const asNamed = <Name extends string>(assets: Record<string, Asset>) =>
  assets as Record<Name, Asset>

/** A file's answer: browsers keep it for a year, and a changed file has another path. */
export function assetResponse({ file, type }: Asset, headers: Record<string, string>): Response {
  return new Response(Bun.file(file), {
    headers: {
      ...headers,
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
    },
  })
}
