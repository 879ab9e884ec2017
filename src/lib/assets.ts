import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'

export interface Asset {
  /**
   * The path from which browsers load it. It contains a hash of the content, so browsers may keep
   * the file forever.
   */
  path: string
  type: string
  content: Buffer
  /** Returns the content compressed with gzip. Compresses it on the first call only. */
  gzip(): Uint8Array<ArrayBuffer>
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * The static files that pages load, by their names. Each name stands for a file on disk, or for
 * several files that are joined. Each gets a path with a hash of its content; no other file is
 * served. Throws when a file is missing or has an unknown type.
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
        gzip: compressOnce(content),
      },
    ]
  })
  return asNamed<Name>(Object.fromEntries(entries))
}

/**
 * The content of a file without the comments that have lines of their own; they are a fifth of what browsers would load.
 * Those of packages stay: they contain their licenses.
 */
function readAsset(path: string): Buffer {
  const content = readFileSync(path)
  if (path.includes('/node_modules/') || !/\.(?:js|css)$/.test(path)) return content
  const comments = /^[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/.*)[ \t]*\n/gm
  return Buffer.from(content.toString().replaceAll(comments, ''))
}

function compressOnce(content: Buffer): Asset['gzip'] {
  let compressed: Uint8Array<ArrayBuffer> | undefined
  return () => {
    compressed ??= Bun.gzipSync(new Uint8Array(content), { level: 9 })
    return compressed
  }
}

/** Sound, because the entries come from a record with these names. */
const asNamed = <Name extends string>(assets: Record<string, Asset>) =>
  assets as Record<Name, Asset>

/**
 * The response with a file. Browsers keep it for a year, because a changed file gets another path.
 */
export function assetResponse(
  request: Request,
  { content, gzip, type }: Asset,
  headers: Record<string, string>,
): Response {
  const small = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
  return new Response(small ? gzip() : new Uint8Array(content), {
    headers: {
      ...headers,
      ...(small && { 'content-encoding': 'gzip' }),
      vary: 'accept-encoding',
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
    },
  })
}
