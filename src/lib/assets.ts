import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'

export interface Asset {
  /** Where browsers get it; names the content, so that they may keep it for ever. */
  path: string
  type: string
  content: Buffer
  /** The same, compressed. */
  gzip: Uint8Array<ArrayBuffer>
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * A fixed list of what pages load, by the name in its address: a file on disk, or several to be read
 * as one. Each gets a path with a hash of its content; nothing else is ever served. Throws when a file
 * is missing or of unknown type.
 */
export function findAssets<Name extends string>(
  prefix: string,
  files: Readonly<Record<Name, string | readonly string[]>>,
): Record<Name, Asset> {
  const entries = Object.entries<string | readonly string[]>(files).map(([name, file]) => {
    const type = types[extname(name)]
    if (!type) throw new Error(`No content type is known for ${name}`)
    const content = Buffer.concat([file].flat().map(readAsset))
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 12)
    return [
      name,
      {
        path: `${prefix}/${hash}/${name}`,
        type,
        content,
        gzip: Bun.gzipSync(new Uint8Array(content), { level: 9 }),
      },
    ]
  })
  return asNamed<Name>(Object.fromEntries(entries))
}

/** Style sheets are sent without their comments. */
function readAsset(path: string): Buffer {
  const content = readFileSync(path)
  if (extname(path) !== '.css') return content
  return Buffer.from(content.toString().replaceAll(/\/\*.*?\*\//gs, ''))
}

/** Sound because the entries were made from a record with these very names. */
const asNamed = <Name extends string>(assets: Record<string, Asset>) =>
  assets as Record<Name, Asset>

/** A file's answer: browsers keep it for a year, and a changed file has another path. */
export function assetResponse(
  request: Request,
  { content, gzip, type }: Asset,
  headers: Record<string, string>,
): Response {
  const small = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
  return new Response(small ? gzip : new Uint8Array(content), {
    headers: {
      ...headers,
      ...(small && { 'content-encoding': 'gzip' }),
      vary: 'accept-encoding',
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
    },
  })
}
