import { attribute } from '../../../attribute.ts'
import { formatTimestamps } from '../../../components/date-time.tsx'
import { Icon } from '../../../components/icon.tsx'
import type { Reader } from '../../../http/reader.ts'
import { type ComposerView, queryOf } from './view.ts'

/** A hash of the rendered email. */
export const contentHash = (html: string) => Bun.hash(html).toString(36)

interface PreviewPanelProps {
  path: string
  view: ComposerView
  preview: { html: string; warnings: readonly string[] }
}

/** The rendered email for a desktop or a phone, in light or dark mode. */
export function PreviewPanel({ path, view, preview: { html } }: PreviewPanelProps) {
  // The frame is reloaded only when the email has changed.
  const hash = contentHash(html)
  const option = <Name extends 'width' | 'scheme' | 'images'>(
    name: Name,
    value: ComposerView[Name],
    title: string,
  ) => (
    <a
      data-swap
      id={`${name}-${value}`}
      href={attribute(path + queryOf({ ...view, [name]: value, panel: 'preview' }))}
      aria-current={view[name] === value ? 'true' : undefined}
      safe
    >
      {title}
    </a>
  )
  return (
    <section id="preview" aria-labelledby="preview-title">
      <h2 id="preview-title" class="panel-title">
        Preview
      </h2>
      <div id="preview-tools" class="row" data-part>
        <nav class="segmented-control" aria-label="Width">
          {option('width', 'desktop', 'Desktop') as 'safe'}
          {option('width', 'phone', 'Phone') as 'safe'}
        </nav>
        <nav class="segmented-control" aria-label="Screen">
          {option('scheme', 'light', 'Light') as 'safe'}
          {option('scheme', 'dark', 'Dark') as 'safe'}
        </nav>
        <nav class="segmented-control" aria-label="Images">
          {option('images', 'hidden', 'No images') as 'safe'}
          {option('images', 'shown', 'Images') as 'safe'}
        </nav>
      </div>
      <section
        id="preview-viewport"
        class="preview-viewport"
        data-part
        data-hash={`${hash} ${view.width} ${view.scheme} ${view.images}`}
        tabindex="0"
        aria-label="The email, which may be wider than the screen"
      >
        <iframe
          class={`preview-frame ${view.width}`}
          src={`${path}/html?scheme=${view.scheme}&images=${view.images}&v=${hash}`}
          title="The email"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
        />
      </section>
    </section>
  )
}

/** Warnings about the email. */
export function Warnings({ reader, warnings }: { reader: Reader; warnings: readonly string[] }) {
  return (
    <section id="warnings" data-part aria-label="Before you send it">
      {warnings.length === 0 ? null : (
        <div class="notice warning">
          <Icon name="warning" />
          <div>
            <h2>Before you send it</h2>
            <ul>
              {warnings.map((warning) => (
                <li safe>{formatTimestamps(reader, warning)}</li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </section>
  )
}
