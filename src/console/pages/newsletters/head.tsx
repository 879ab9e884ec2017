import type { Newsletter } from '../../../contract/newsletter.ts'
import type { NewsletterStatus } from '../../../contract/vocabulary.ts'
import { Form } from '../../components/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { Time } from '../../components/time.tsx'
import type { MemberRequest } from '../../http/context.ts'
import { pluralize } from '../../pluralize.ts'
import { can } from '../../roles.ts'
import { dayWords, newsletterStatusLooks } from './words.ts'

/** A newsletter's state. */
export function StatusBadge({ status }: { status: NewsletterStatus }) {
  const { title, tone } = newsletterStatusLooks[status]
  return <span class={`badge ${tone}`}>{title}</span>
}

interface HeadProps {
  context: MemberRequest
  newsletter: Newsletter
  /** Which of its pages this is. */
  at: 'compose' | 'preview' | 'export'
  /** What comes back with the form, so that one returns to what one saw. */
  view?: string
}

/** The head of a newsletter's pages: what it is, what state it is in, and the way between them. */
export function NewsletterHead({ context, newsletter, at, view = '' }: HeadProps) {
  const { id, title, status, scheduled_date, blocks, sent_at } = newsletter
  const mayChange = can(context.member.role, 'editor') && status !== 'sent'
  return (
    <div id="head" data-part>
      <div class="page-head issue-head">
        <div>
          <h1 safe>{title}</h1>
          <p class="lead row">
            <StatusBadge status={status} />
            {scheduled_date ? <span safe>{dayWords(scheduled_date)}</span> : null}
            <span safe>{pluralize(blocks.length, 'block')}</span>
            {sent_at ? (
              <span>
                sent <Time at={new Date(sent_at)} />
              </span>
            ) : null}
          </p>
        </div>
        <div class="page-actions">
          {mayChange ? (
            <Moves context={context} newsletter={newsletter} at={at} view={view} />
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
            href={`/newsletters/${id}${tab.end}`}
            aria-current={tab.at === at ? 'page' : undefined}
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
  const reader = !can(context.member.role, 'editor')
  return [
    { at: 'compose', end: '', title: status === 'sent' || reader ? 'Newsletter' : 'Compose' },
    ...(reader ? [] : [{ at: 'preview', end: '/preview', title: 'Send a preview' }]),
    { at: 'export', end: '/export', title: 'Export' },
  ]
}

const stepBack = { ready: 'in_progress', in_progress: 'draft', draft: null, sent: null } as const

/** The moves to other states that make sense from here. */
function Moves({ context, newsletter, at, view = '' }: HeadProps) {
  const { id, status, version } = newsletter
  const back = stepBack[status]
  return (
    <Form context={context} action={`/newsletters/${id}/status`} class="row">
      <input type="hidden" name="version" value={String(version)} />
      <input type="hidden" name="at" value={at} />
      <input type="hidden" name="view" value={view} />
      {back ? (
        <button type="submit" id="step-back" class="plain" name="to" value={back}>
          {back === 'draft' ? 'Back to draft' : 'Back to in progress'}
        </button>
      ) : null}
      {status === 'ready' && at !== 'export' ? (
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
