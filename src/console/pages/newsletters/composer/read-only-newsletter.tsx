import type { Newsletter } from '../../../../contract/newsletters/newsletter.ts'
import type { NewsletterPreview } from '../../../../features/newsletters/index.ts'
import type { MemberRequest } from '../../../http/context.ts'
import type { Translate } from '../../../locales/index.ts'
import { can } from '../../../roles.ts'
import { DuplicateActions, NewsletterHeader } from '../header.tsx'
import { LiveNotices } from './live-notices.tsx'
import { Outline, type OutlineSection } from './outline.tsx'
import { NewsletterPanel } from './panels/newsletter-panel.tsx'
import type { ComposerView } from './view.ts'
import { Warnings } from './warnings.tsx'

interface ReadOnlyProps {
  context: MemberRequest
  newsletter: Newsletter
  view: ComposerView
  sections: readonly OutlineSection[]
  preview: Pick<NewsletterPreview, 'html' | 'notices'>
}

/** A newsletter for viewers, and one that was sent. */
export function ReadOnlyNewsletter({
  context,
  newsletter,
  view,
  sections,
  preview,
}: ReadOnlyProps) {
  const { t } = context
  const path = `/newsletters/${newsletter.id}`
  return (
    <div id="composer" class="composer">
      <NewsletterHeader context={context} newsletter={newsletter} page="compose" />
      <LiveNotices path={path} />
      <div class="composer-grid reading">
        <div class="composer-newsletter">
          <SubjectLines t={t} newsletter={newsletter} />
          <NewsletterPanel {...{ context, view }} path={path} html={preview.html} canEdit={false} />
        </div>
        <div class="composer-outline">
          <Warnings context={context} notices={preview.notices} />
          <Outline {...{ context, newsletter, sections }} view="" notices={[]} canEdit={false} />
          {can(context.member.role, 'editor') ? (
            <div class="row whole-newsletter">
              <DuplicateActions context={context} id={newsletter.id} />
            </div>
          ) : null}
        </div>
      </div>
    </div>
  )
}

function SubjectLines({
  t,
  newsletter: { subject_line, preheader_text, status },
}: {
  t: Translate
  newsletter: Newsletter
}) {
  return (
    <div class="card">
      {status === 'sent' ? (
        <p class="muted">{t('newsletters.this_newsletter_was_sent_later')}</p>
      ) : null}
      <dl class="details-list">
        <dt>{t('newsletters.subject')}</dt>
        <dd safe>{subject_line ?? t('newsletters.none_yet')}</dd>
        {preheader_text ? (
          <>
            <dt>{t('newsletters.preheader')}</dt>
            <dd safe>{preheader_text}</dd>
          </>
        ) : null}
      </dl>
    </div>
  )
}
