import { fileURLToPath } from 'node:url'
import { findAssets } from '../../lib/assets.ts'

const fileOf = (url: string) => fileURLToPath(url)

const readAssets = () =>
  findAssets('/docs/assets', {
    'docs.css': fileOf(import.meta.resolve('./docs.css')),
    'swagger-ui.css': fileOf(import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
    'viewer.js': [
      fileOf(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
      fileOf(import.meta.resolve('./viewer.js')),
    ],
  })

let found: ReturnType<typeof readAssets> | undefined

/** Finds the files that the documentation loads, and reads them once. */
export function findDocsAssets(): ReturnType<typeof readAssets> {
  found ??= readAssets()
  return found
}
