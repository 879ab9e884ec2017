import { fileURLToPath } from 'node:url'
import { findAssets } from '../lib/assets.ts'

const fileOf = (url: string) => fileURLToPath(url)

// In this order. A section's own looks go into a file of its own, before the last.
const styles = [
  ...['foundations', 'controls', 'parts', 'data', 'details', 'shell', 'sheet'],
  ...['library', 'newsletters', 'composer', 'events', 'integrations'],
  ...['media'],
]

/** Finds the files that pages load: these and no others. */
export const findConsoleAssets = () =>
  findAssets('/assets', {
    'console.css': styles.map((name) => fileOf(import.meta.resolve(`./assets/styles/${name}.css`))),
    'drafts.js': fileOf(import.meta.resolve('./assets/drafts.js')),
    'console.js': fileOf(import.meta.resolve('./assets/console.js')),
    'library.js': fileOf(import.meta.resolve('./assets/library.js')),
    'editor.js': fileOf(import.meta.resolve('./assets/editor.js')),
    'purify.js': fileOf(import.meta.resolve('dompurify/dist/purify.min.js')),
    'squire.js': fileOf(import.meta.resolve('squire-rte/dist/squire.js')),
    'htmx.js': fileOf(import.meta.resolve('htmx.org/dist/htmx.min.js')),
    'preview.js': fileOf(import.meta.resolve('./assets/preview.js')),
    'composer.js': fileOf(import.meta.resolve('./assets/composer.js')),
    'export.js': fileOf(import.meta.resolve('./assets/export.js')),
    'sortable.js': fileOf(import.meta.resolve('sortablejs/Sortable.min.js')),
    'icon.svg': fileOf(import.meta.resolve('./assets/icon.svg')),
  })

export type ConsoleAssets = ReturnType<typeof findConsoleAssets>
