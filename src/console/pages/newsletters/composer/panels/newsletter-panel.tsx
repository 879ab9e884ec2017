import { attribute } from '../../../../attribute.ts'
import { Icon, type IconName } from '../../../../components/icon.tsx'
import type { MemberRequest } from '../../../../http/context.ts'
import { frameSandbox, hasRemoteImages } from '../../../../http/email-frame.ts'
import { contentHash } from '../../preview-hash.tsx'
import { type ComposerView, queryOf } from '../view.ts'

interface NewsletterPanelProps {
  context: MemberRequest
  path: string
  view: ComposerView
  html: string
  /** Whether a script shows what can be edited. */
  canEdit: boolean
}

/** The newsletter as readers see it: on a desktop or a phone, in light or dark mode. */
export function NewsletterPanel({ context, path, view, html, canEdit }: NewsletterPanelProps) {
  const { t } = context
  // The frame is reloaded only when the email has changed.
  const hash = contentHash(html)
  const source = `${path}/html?marked&scheme=${view.scheme}&images=${view.images}&v=${hash}`
  return (
    <section id="preview" aria-labelledby="preview-title">
      <h2 id="preview-title" class="visually-hidden">
        {t('newsletters.newsletter')}
      </h2>
      <PreviewTools context={context} path={path} view={view} html={html} />
      <div id="canvas-area" class="canvas-area">
        <section
          id="preview-viewport"
          class={`canvas ${view.width}`}
          data-part
          data-canvas={canEdit ? 'edit' : 'view'}
          data-hash={`${hash} ${view.width} ${view.scheme} ${view.images}`}
          tabindex="0"
          aria-label={t('newsletters.the_email_which_may')}
        >
          <iframe
            class={`preview-frame ${view.width}`}
            src={source}
            title={t('newsletters.the_email')}
            sandbox={frameSandbox(true)}
          />
        </section>
      </div>
    </section>
  )
}

function PreviewTools({
  context: { t, deps },
  path,
  view,
  html,
}: Omit<NewsletterPanelProps, 'canEdit'>) {
  const option = <Name extends 'width' | 'scheme' | 'images'>(
    name: Name,
    value: ComposerView[Name],
    title: string,
    icon?: IconName,
  ) => {
    const query = new URLSearchParams(queryOf({ ...view, panel: 'newsletter' }))
    query.set(name, value)
    return (
      <a
        data-swap
        id={`${name}-${value}`}
        href={attribute(`${path}?${query}`)}
        aria-current={view[name] === value ? 'true' : undefined}
        title={icon ? attribute(title) : undefined}
      >
        {icon ? <Icon name={icon} /> : null}
        <span safe>{title}</span>
      </a>
    )
  }
  return (
    <>
      <div id="preview-tools" class="composer-tools" data-part>
        <nav class="segmented-control" aria-label={t('newsletters.width')}>
          {option('width', 'desktop', t('templates.desktop'), 'desktop') as 'safe'}
          {option('width', 'phone', t('templates.phone'), 'phone') as 'safe'}
        </nav>
        <nav class="segmented-control" aria-label={t('newsletters.screen')}>
          {option('scheme', 'light', t('templates.light'), 'light') as 'safe'}
          {option('scheme', 'dark', t('templates.dark'), 'dark') as 'safe'}
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
        {view.images === 'own' && hasRemoteImages(html, deps.baseUrl) ? (
          <p>
            {option('images', 'all', t('common.show_images')) as 'safe'}{' '}
            <span class="muted">{t('common.loads_them_from_other_websites')}</span>
          </p>
        ) : null}
      </div>
    </>
  )
}
