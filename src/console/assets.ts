import { fileURLToPath } from 'node:url'
import { findAssets } from '../lib/assets.ts'

const fileOf = (url: string) => fileURLToPath(url)

/** Finds the files that pages load: these and no others. */
export const findConsoleAssets = () =>
  findAssets('/assets', {
    'console.css': fileOf(import.meta.resolve('./assets/console.css')),
    'console.js': fileOf(import.meta.resolve('./assets/console.js')),
    'htmx.js': fileOf(import.meta.resolve('htmx.org/dist/htmx.min.js')),
    'icon.svg': fileOf(import.meta.resolve('./assets/icon.svg')),
  })

export type ConsoleAssets = ReturnType<typeof findConsoleAssets>
