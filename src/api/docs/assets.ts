import { fileURLToPath } from 'node:url'
import { findAssets } from '../../lib/assets.ts'

const fileOf = (url: string) => fileURLToPath(url)

/** Finds the files that the documentation loads. */
export const findDocsAssets = () =>
  findAssets('/docs/assets', {
    'docs.css': fileOf(import.meta.resolve('./docs.css')),
    'swagger-ui.css': fileOf(import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
    'viewer.js': [
      fileOf(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
      fileOf(import.meta.resolve('./viewer.js')),
    ],
  })
