import type { Newsletter } from '../../../contract/newsletters/newsletter.ts'
import type { NewsletterStatus } from '../../../contract/vocabulary.ts'
import { canUndoSend } from '../../../features/newsletters/index.ts'
import { DateTime, formatDate } from '../../components/dates/date-time.tsx'
import { Form } from '../../components/form/form.tsx'
import { Icon } from '../../components/icon.tsx'
import type { MemberRequest } from '../../http/context.ts'
import type { Translate } from '../../locales/index.ts'
import { can } from '../../roles.ts'
import { ApprovalActions, ApprovalState } from './approval.tsx'
import { findPostProblems, PostProblemBadge } from './export/post-problems.tsx'
import { findUndelivered, UndeliveredBadge } from './export/undelivered.tsx'
import { newsletterStatusBadges } from './status-badges.ts'

/** The status of a newsletter as a badge. */
export function NewsletterStatusBadge({ t, status }: { t: Translate; status: NewsletterStatus }) {
  const { title, tone } = newsletterStatusBadges[status]
  return <span class={`badge ${tone}`}>{t(title)}</span>
}

interface NewsletterHeaderProps {
  context: MemberRequest
  newsletter: Newsletter
  /** The current page. */
  page: 'compose' | 'preview' | 'export' | 'history'
  /** The query of the current view, which the form sends back. */
  view?: string
}

/** The header of the pages of a newsletter: title, status, actions and tabs. */
export function NewsletterHeader({ context, newsletter, page, view = '' }: NewsletterHeaderProps) {
  const { t } = context
  const { id, title, status, scheduled_date, blocks, sent_at, archive_url } = newsletter
  const canEdit = can(context.member.role, 'editor') && status !== 'sent'
  return (
    <div id="newsletter-header" data-part data-version={String(newsletter.version)}>
      <div class="page-header newsletter-header">
        <div>
          <h1 safe>{title}</h1>
          <p class="lead row">
            <NewsletterStatusBadge t={t} status={status} />
            {scheduled_date ? (
              <span safe>{formatDate(context.userLocale, scheduled_date)}</span>
            ) : null}
            <span safe>{t('newsletters.block', { count: blocks.length })}</span>
            <ApprovalState context={context} newsletter={newsletter} />
            {sent_at ? (
              <span>
                {t.html('newsletters.sent', {
                  date: () => <DateTime userLocale={context.userLocale} at={new Date(sent_at)} />,
                })}
              </span>
            ) : null}
            <Problems context={context} newsletter={newsletter} page={page} />
          </p>
        </div>
        <div class="page-actions">
          {canEdit && page === 'compose' ? (
            <Form
              context={context}
              action={`/newsletters/${id}/phone`}
              class="on-wide-screens"
              data={{ 'data-full-page': '' }}
            >
              <button type="submit">
                <Icon name="phone" />
                {t('newsletters.on_your_phone')}
              </button>
            </Form>
          ) : null}
          {canEdit ? (
            <StatusActions context={context} newsletter={newsletter} page={page} view={view} />
          ) : null}
          {sent_at &&
          can(context.member.role, 'editor') &&
          canUndoSend(new Date(sent_at), context.deps.now()) ? (
            <Form context={context} action={`/newsletters/${id}/undo-send`}>
              <button type="submit">{t('newsletters.undo_mark_as_sent')}</button>
            </Form>
          ) : null}
          {archive_url ? (
            <a class="button" href={archive_url}>
              {t('newsletters.view_in_the_archive')}
            </a>
          ) : null}
        </div>
      </div>
      <nav class="tabs" aria-label={t('newsletters.this_newsletter')}>
        {tabsOf(context, newsletter).map((tab) => (
          <a
            href={`/newsletters/${id}${tab.path}`}
            aria-current={tab.page === page ? 'page' : undefined}
          >
            {tab.title}
          </a>
        ))}
      </nav>
    </div>
  )
}

/**
 * The channels of chats that a sent newsletter is not in; before that, whether its last preview was delivered. The pages
 * Export and Send a preview show them below.
 */
async function Problems({ context, newsletter: { id, sent_at }, page }: NewsletterHeaderProps) {
  if (page === (sent_at ? 'export' : 'preview')) return ''
  const posts = sent_at ? await findPostProblems(context, [id]) : []
  const emails = sent_at ? [] : await findUndelivered(context, [id])
  return (
    <span id="problems" class="problems" data-posts role="status">
      {posts.map((problem) => (
        <PostProblemBadge context={context} problem={problem} />
      ))}
      <UndeliveredBadge context={context} emails={emails} />
    </span>
  )
}

/** Duplicates a newsletter: with its blocks, or its texts and template for the next issue. */
export function DuplicateActions({ context, id }: { context: MemberRequest; id: string }) {
  const { t } = context
  return (
    <>
      <Form
        context={context}
        action={`/newsletters/${id}/duplicate`}
        data={{ 'data-full-page': '' }}
      >
        <button type="submit" class="ghost small">
          {t('newsletters.duplicate')}
        </button>
      </Form>
      <a class="button ghost small" href={`/newsletters/new?from=${id}`}>
        {t('newsletters.duplicate_without_blocks')}
      </a>
    </>
  )
}

function tabsOf(context: MemberRequest, { status }: Newsletter) {
  const { t } = context
  const isViewer = !can(context.member.role, 'editor')
  return [
    {
      page: 'compose',
      path: '',
      title: status === 'sent' || isViewer ? t('newsletters.newsletter') : t('newsletters.compose'),
    },
    ...(isViewer
      ? []
      : [{ page: 'preview', path: '/preview', title: t('newsletters.send_a_preview') }]),
    { page: 'export', path: '/export', title: t('newsletters.export') },
    ...(isViewer ? [] : [{ page: 'history', path: '/history', title: t('history.history') }]),
  ]
}

const previousStatus = {
  ready: 'in_progress',
  in_progress: 'draft',
  draft: null,
  sent: null,
} as const

/** The buttons for the possible transitions. */
function StatusActions({ context, newsletter, page, view = '' }: NewsletterHeaderProps) {
  const { t } = context
  const { id, status, version } = newsletter
  const back = previousStatus[status]
  return (
    <Form context={context} action={`/newsletters/${id}/status`} class="row">
      <input type="hidden" name="version" value={String(version)} />
      <input type="hidden" name="page" value={page} />
      <input type="hidden" name="view" value={view} />
      {back ? (
        <button type="submit" id="step-back" class="ghost" name="to" value={back}>
          {back === 'draft' ? t('newsletters.back_to_draft') : t('newsletters.back_to_in_progress')}
        </button>
      ) : null}
      <ApprovalActions
        context={context}
        newsletter={newsletter}
        otherwise={<NextStep t={t} newsletter={newsletter} page={page} />}
      />
    </Form>
  )
}

/** What follows when no approval is missing: "Mark as ready", then the page that exports the newsletter. */
function NextStep({
  t,
  newsletter: { id, status },
  page,
}: Pick<NewsletterHeaderProps, 'newsletter' | 'page'> & { t: Translate }) {
  if (status === 'ready') {
    return page === 'export' ? (
      ''
    ) : (
      <a class="button primary" href={`/newsletters/${id}/export`}>
        {t('newsletters.export')}
      </a>
    )
  }
  return (
    <button type="submit" id="mark-ready" class="primary" name="to" value="ready">
      <Icon name="check" />
      {t('newsletters.mark_as_ready')}
    </button>
  )
}
