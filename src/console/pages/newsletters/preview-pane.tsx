import { attribute } from '../../attribute.ts'
import { Icon } from '../../components/icon.tsx'
import { queryOf, type View } from './view.ts'
import { plainTimes } from './words.ts'

/** Stands for a mail as it looks; another one when anything about it changes. */
export const contentHash = (html: string) => Bun.hash(html).toString(36)

interface PaneProps {
  path: string
  view: View
  preview: { html: string; warnings: readonly string[] }
}

/** The mail as readers see it, on a desktop or a phone, on a light or a dark screen. */
export function PreviewPane({ path, view, preview: { html } }: PaneProps) {
  // Only when the mail changes is it loaded again.
  const stamp = contentHash(html)
  const choice = <Name extends 'width' | 'scheme' | 'images'>(
    name: Name,
    value: View[Name],
    title: string,
  ) => (
    <a
      data-swap
      id={`${name}-${value}`}
      href={attribute(path + queryOf({ ...view, [name]: value, pane: 'preview' }))}
      aria-current={view[name] === value ? 'true' : undefined}
      safe
    >
      {title}
    </a>
  )
  return (
    <section id="preview" aria-labelledby="preview-title">
      <h2 id="preview-title" class="pane-title">
        Preview
      </h2>
      <div id="preview-tools" class="row" data-part>
        <nav class="choice" aria-label="Width">
          {choice('width', 'desktop', 'Desktop') as 'safe'}
          {choice('width', 'phone', 'Phone') as 'safe'}
        </nav>
        <nav class="choice" aria-label="Screen">
          {choice('scheme', 'light', 'Light') as 'safe'}
          {choice('scheme', 'dark', 'Dark') as 'safe'}
        </nav>
        <nav class="choice" aria-label="Images">
          {choice('images', 'hidden', 'No images') as 'safe'}
          {choice('images', 'shown', 'Images') as 'safe'}
        </nav>
      </div>
      <section
        id="preview-room"
        class="preview-room"
        data-part
        data-stamp={`${stamp} ${view.width} ${view.scheme} ${view.images}`}
        tabindex="0"
        aria-label="The email, which may be wider than the screen"
      >
        <iframe
          class={`preview-frame ${view.width}`}
          src={`${path}/html?scheme=${view.scheme}&images=${view.images}&v=${stamp}`}
          title="The email"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
        />
      </section>
    </section>
  )
}

/** What is likely to go wrong when the mail is sent. */
export function Warnings({ warnings }: { warnings: readonly string[] }) {
  return (
    <section id="warnings" data-part aria-label="Before you send it">
      {warnings.length === 0 ? null : (
        <div class="notice warn">
          <Icon name="warning" />
          <div>
            <h2>Before you send it</h2>
            <ul>
              {warnings.map((warning) => (
                <li safe>{plainTimes(warning)}</li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </section>
  )
}
