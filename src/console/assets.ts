import { fileURLToPath } from 'node:url'
import { findAssets } from '../lib/assets.ts'

const fileOf = (url: string) => fileURLToPath(url)

// The order matters: later files override earlier ones. Styles of one page have their own file.
const styles = [
  ...['tokens', 'base', 'buttons', 'forms', 'image-field', 'page-parts', 'notices', 'tables'],
  ...['pages/first-steps', 'data-display', 'pages/welcome', 'layout', 'signed-out'],
  ...['library/filters', 'library/library', 'library/preview-panel', 'library/block'],
  ...[
    'library/block-editor',
    'library/comments',
    'newsletters/newsletters',
    'newsletters/composer',
  ],
  ...['newsletters/newsletter-blocks', 'newsletters/library-blocks', 'newsletters/canvas'],
  ...['pages/events', 'pages/integrations', 'library/search', 'media'],
  ...['newsletters/templates', 'pages/settings', 'library/history'],
]

// The order matters: later files use what earlier ones declare, while they are loaded.
const libraryScripts = ['library', 'review', 'selection', 'shortcuts', 'filters']

const readAssets = () =>
  findAssets('/assets', {
    'console.css': styles.map((name) => fileOf(import.meta.resolve(`./assets/styles/${name}.css`))),
    'archive.css': fileOf(import.meta.resolve('./assets/styles/newsletters/archive.css')),
    'translate.js': fileOf(import.meta.resolve('./assets/translate.js')),
    'announce.js': fileOf(import.meta.resolve('./assets/announce.js')),
    'page-form.js': fileOf(import.meta.resolve('./assets/forms/page-form.js')),
    'autosave.js': fileOf(import.meta.resolve('./assets/forms/autosave.js')),
    'drafts.js': fileOf(import.meta.resolve('./assets/forms/drafts.js')),
    'send-forms.js': fileOf(import.meta.resolve('./assets/forms/send-forms.js')),
    'command-palette.js': fileOf(import.meta.resolve('./assets/command-palette.js')),
    'console.js': fileOf(import.meta.resolve('./assets/console.js')),
    'mentions.js': fileOf(import.meta.resolve('./assets/library/mentions.js')),
    'library.js': libraryScripts.map((name) =>
      fileOf(import.meta.resolve(`./assets/library/${name}.js`)),
    ),
    'edit-in-preview.js': fileOf(import.meta.resolve('./assets/library/edit-in-preview.js')),
    'block-frame.js': fileOf(import.meta.resolve('./assets/composer/block-frame.js')),
    'library-updates.js': fileOf(import.meta.resolve('./assets/library/library-updates.js')),
    'submission.js': fileOf(import.meta.resolve('./assets/forms/submission.js')),
    'image-field.js': fileOf(import.meta.resolve('./assets/forms/image-field.js')),
    'editor.js': fileOf(import.meta.resolve('./assets/editor/editor.js')),
    'pasted-content.js': fileOf(import.meta.resolve('./assets/editor/pasted-content.js')),
    'editor-markdown.js': fileOf(import.meta.resolve('./assets/editor/editor-markdown.js')),
    'editor-image.js': fileOf(import.meta.resolve('./assets/editor/editor-image.js')),
    'editor-toolbar.js': fileOf(import.meta.resolve('./assets/editor/editor-toolbar.js')),
    'streamed-text.js': fileOf(import.meta.resolve('./assets/editor/streamed-text.js')),
    'purify.js': fileOf(import.meta.resolve('dompurify/dist/purify.min.js')),
    'squire.js': fileOf(import.meta.resolve('squire-rte/dist/squire.js')),
    'htmx.js': fileOf(import.meta.resolve('htmx.org/dist/htmx.min.js')),
    'passkeys.js': fileOf(import.meta.resolve('./assets/passkeys.js')),
    'welcome.js': fileOf(import.meta.resolve('./assets/welcome.js')),
    'preview.js': fileOf(import.meta.resolve('./assets/preview.js')),
    // One file, because every page loads both.
    'sign-in-dialog.js': [
      fileOf(import.meta.resolve('./assets/team-of-page.js')),
      fileOf(import.meta.resolve('./assets/forms/sign-in-dialog.js')),
    ],
    'sortable-blocks.js': fileOf(import.meta.resolve('./assets/composer/sortable-blocks.js')),
    'live.js': fileOf(import.meta.resolve('./assets/live.js')),
    'presence.js': fileOf(import.meta.resolve('./assets/composer/presence.js')),
    'canvas.js': fileOf(import.meta.resolve('./assets/composer/canvas.js')),
    'in-place-editor.js': fileOf(import.meta.resolve('./assets/editor/in-place-editor.js')),
    'composer.js': fileOf(import.meta.resolve('./assets/composer/composer.js')),
    'export.js': fileOf(import.meta.resolve('./assets/export.js')),
    'sortable.js': fileOf(import.meta.resolve('sortablejs/Sortable.min.js')),
    'sample/cover.svg': fileOf(import.meta.resolve('./assets/sample/cover.svg')),
    'sample/release.svg': fileOf(import.meta.resolve('./assets/sample/release.svg')),
    'sample/portrait-1.svg': fileOf(import.meta.resolve('./assets/sample/portrait-1.svg')),
    'sample/portrait-2.svg': fileOf(import.meta.resolve('./assets/sample/portrait-2.svg')),
    'icon.svg': fileOf(import.meta.resolve('./assets/icon.svg')),
  })

export type ConsoleAssets = ReturnType<typeof readAssets>

let found: ConsoleAssets | undefined

/** Finds the static files that pages load, and reads them once. No other file is served. */
export function findConsoleAssets(): ConsoleAssets {
  found ??= readAssets()
  return found
}
