import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The files that pages load: these and no others. */
const files = {
  'docs.css': { type: 'text/css', url: () => import.meta.resolve('./docs.css') },
  'docs.js': { type: 'text/javascript', url: () => import.meta.resolve('./docs.js') },
  'swagger-ui.css': {
    type: 'text/css',
    url: () => import.meta.resolve('swagger-ui-dist/swagger-ui.css'),
  },
  'swagger-ui-bundle.js': {
    type: 'text/javascript',
    url: () => import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  },
}
export type AssetName = keyof typeof files

export interface Asset {
  /** Where browsers get it; names the content, so that they may keep it for ever. */
  path: string
  type: string
  /** The file on disk. */
  file: string
}

/** Finds the files and gives each a path with a hash of its content. */
export function findAssets(): Record<AssetName, Asset> {
  const find = (name: AssetName): Asset => {
    const { type, url } = files[name]
    const file = fileURLToPath(url())
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12)
    return { path: `/docs/assets/${hash}/${name}`, type: `${type}; charset=utf-8`, file }
  }
  return {
    'docs.css': find('docs.css'),
    'docs.js': find('docs.js'),
    'swagger-ui.css': find('swagger-ui.css'),
    'swagger-ui-bundle.js': find('swagger-ui-bundle.js'),
  }
}
