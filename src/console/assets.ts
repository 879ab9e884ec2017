import { fileURLToPath } from 'node:url'
import { findAssets } from '../lib/assets.ts'

const fileOf = (url: string) => fileURLToPath(url)

/** Finds the files that pages load: these and no others. */
export const findConsoleAssets = () =>
  findAssets('/assets', {
    // In this order; a section's own looks go into a file of its own, before the last.
    'console.css': ['1-foundations', '2-controls', '3-parts', '4-shell', '9-media'].map((name) =>
      fileOf(import.meta.resolve(`./assets/styles/${name}.css`)),
    ),
    'console.js': fileOf(import.meta.resolve('./assets/console.js')),
    'htmx.js': fileOf(import.meta.resolve('htmx.org/dist/htmx.min.js')),
    'icon.svg': fileOf(import.meta.resolve('./assets/icon.svg')),
  })

export type ConsoleAssets = ReturnType<typeof findConsoleAssets>
