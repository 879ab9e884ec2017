import type { Newsletter } from '../../../contract/newsletter.ts'
import type { NewsletterStatus } from '../../../contract/vocabulary.ts'
import { canUndoSend } from '../../../features/newsletters/index.ts'
import { DateTime, formatDate } from '../../components/date-time.tsx'
import { Form } from '../../components/form/form.tsx'
import { Icon } from '../../components/icon.tsx'
import type { MemberRequest } from '../../http/context.ts'
import { pluralize } from '../../pluralize.ts'
import { can } from '../../roles.ts'
import { newsletterStatusBadges } from './status-badges.ts'

/** The status of a newsletter as a badge. */
export function NewsletterStatusBadge({ status }: { status: NewsletterStatus }) {
  const { title, tone } = newsletterStatusBadges[status]
  return <span class={`badge ${tone}`}>{title}</span>
}

interface NewsletterHeaderProps {
  context: MemberRequest
  newsletter: Newsletter
  /** The current page. */
  page: 'compose' | 'preview' | 'export'
  /** The query of the current view, which the form sends back. */
  view?: string
}

/** The header of the pages of a newsletter: title, status, actions and tabs. */
export function NewsletterHeader({ context, newsletter, page, view = '' }: NewsletterHeaderProps) {
  const { id, title, status, scheduled_date, blocks, sent_at, archive_url } = newsletter
  const canEdit = can(context.member.role, 'editor') && status !== 'sent'
  return (
    <div id="newsletter-header" data-part>
      <div class="page-header newsletter-header">
        <div>
          <h1 safe>{title}</h1>
          <p class="lead row">
            <NewsletterStatusBadge status={status} />
            {scheduled_date ? <span safe>{formatDate(context.reader, scheduled_date)}</span> : null}
            <span safe>{pluralize(blocks.length, 'block')}</span>
            {sent_at ? (
              <span>
                sent <DateTime reader={context.reader} at={new Date(sent_at)} />
              </span>
            ) : null}
          </p>
        </div>
        <div class="page-actions">
          {canEdit ? (
            <StatusActions context={context} newsletter={newsletter} page={page} view={view} />
          ) : null}
          {sent_at &&
          can(context.member.role, 'editor') &&
          canUndoSend(new Date(sent_at), context.deps.now()) ? (
            <Form context={context} action={`/newsletters/${id}/undo-send`}>
              <button type="submit">Undo “Mark as sent”</button>
            </Form>
          ) : null}
          {archive_url ? (
            <a class="button" href={archive_url}>
              View in the archive
            </a>
          ) : null}
          {status === 'sent' && can(context.member.role, 'editor') ? (
            <a class="button" href={`/newsletters/new?from=${id}`}>
              <Icon name="copy" />
              Copy to a new newsletter
            </a>
          ) : null}
        </div>
      </div>
      <nav class="tabs" aria-label="This newsletter">
        {tabsOf(context, newsletter).map((tab) => (
          <a
            href={`/newsletters/${id}${tab.path}`}
            aria-current={tab.page === page ? 'page' : undefined}
            safe
          >
            {tab.title}
          </a>
        ))}
      </nav>
    </div>
  )
}

function tabsOf(context: MemberRequest, { status }: Newsletter) {
  const isViewer = !can(context.member.role, 'editor')
  return [
    { page: 'compose', path: '', title: status === 'sent' || isViewer ? 'Newsletter' : 'Compose' },
    ...(isViewer ? [] : [{ page: 'preview', path: '/preview', title: 'Send a preview' }]),
    { page: 'export', path: '/export', title: 'Export' },
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
  const { id, status, version } = newsletter
  const back = previousStatus[status]
  return (
    <Form context={context} action={`/newsletters/${id}/status`} class="row">
      <input type="hidden" name="version" value={String(version)} />
      <input type="hidden" name="page" value={page} />
      <input type="hidden" name="view" value={view} />
      {back ? (
        <button type="submit" id="step-back" class="ghost" name="to" value={back}>
          {back === 'draft' ? 'Back to draft' : 'Back to in progress'}
        </button>
      ) : null}
      {status === 'ready' && page !== 'export' ? (
        <a class="button primary" href={`/newsletters/${id}/export`}>
          Export
        </a>
      ) : null}
      {status === 'ready' ? null : (
        <button type="submit" id="mark-ready" class="primary" name="to" value="ready">
          <Icon name="check" />
          Mark as ready
        </button>
      )}
    </Form>
  )
}
