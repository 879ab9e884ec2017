import { attribute } from '../../../attribute.ts'
import { formatTimestamps } from '../../../components/date-time.tsx'
import { Icon } from '../../../components/icon.tsx'
import { hasRemoteImages } from '../../../http/email-frame.ts'
import type { Reader } from '../../../http/reader.ts'
import type { Translate } from '../../../locales/index.ts'
import { type ComposerView, queryOf } from './view.ts'

/** A hash of the rendered email. */
export const contentHash = (html: string) => Bun.hash(html).toString(36)

interface PreviewPanelProps {
  t: Translate
  baseUrl: string
  path: string
  view: ComposerView
  preview: { html: string; warnings: readonly string[] }
}

/** The rendered email for a desktop or a phone, in light or dark mode. */
export function PreviewPanel({ t, baseUrl, path, view, preview: { html } }: PreviewPanelProps) {
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
        {t('newsletters.preview')}
      </h2>
      <div id="preview-tools" class="row" data-part>
        <nav class="segmented-control" aria-label={t('newsletters.width')}>
          {option('width', 'desktop', t('templates.desktop')) as 'safe'}
          {option('width', 'phone', t('templates.phone')) as 'safe'}
        </nav>
        <nav class="segmented-control" aria-label={t('newsletters.screen')}>
          {option('scheme', 'light', t('templates.light')) as 'safe'}
          {option('scheme', 'dark', t('templates.dark')) as 'safe'}
        </nav>
        <nav class="segmented-control" aria-label={t('newsletters.images')}>
          {
            option(
              'images',
              view.images === 'all' ? 'all' : 'own',
              t('newsletters.images'),
            ) as 'safe'
          }
          {option('images', 'none', t('newsletters.no_images')) as 'safe'}
        </nav>
      </div>
      <div id="remote-images" data-part>
        {view.images === 'own' && hasRemoteImages(html, baseUrl) ? (
          <p>
            {option('images', 'all', t('common.show_images')) as 'safe'}{' '}
            <span class="muted">{t('common.loads_them_from_other_websites')}</span>
          </p>
        ) : null}
      </div>
      <section
        id="preview-viewport"
        class="preview-viewport"
        data-part
        data-hash={`${hash} ${view.width} ${view.scheme} ${view.images}`}
        tabindex="0"
        aria-label={t('newsletters.the_email_which_may')}
      >
        <iframe
          class={`preview-frame ${view.width}`}
          src={`${path}/html?scheme=${view.scheme}&images=${view.images}&v=${hash}`}
          title={t('newsletters.the_email')}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
        />
      </section>
    </section>
  )
}

/** Warnings about the email. */
export function Warnings({
  t,
  reader,
  warnings,
}: {
  t: Translate
  reader: Reader
  warnings: readonly string[]
}) {
  return (
    <section id="warnings" data-part aria-label={t('newsletters.before_you_send_it')}>
      {warnings.length === 0 ? null : (
        <div class="notice warning">
          <Icon name="warning" />
          <div>
            <h2>{t('newsletters.before_you_send_it')}</h2>
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
