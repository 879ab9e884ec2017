import { fileURLToPath } from 'node:url'
import { findAssets } from '../../lib/assets.ts'

const fileOf = (url: string) => fileURLToPath(url)

/** Finds the files that the documentation loads. */
export const findDocsAssets = () =>
  findAssets('/docs/assets', {
    'docs.css': fileOf(import.meta.resolve('./docs.css')),
    'docs.js': fileOf(import.meta.resolve('./docs.js')),
    'swagger-ui.css': fileOf(import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
    'swagger-ui-bundle.js': fileOf(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  })

export type DocsAssets = ReturnType<typeof findDocsAssets>
