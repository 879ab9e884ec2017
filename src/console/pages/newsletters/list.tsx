import { Elysia } from 'elysia'
import type { NewsletterSummary } from '../../../contract/newsletter.ts'
import { newsletterStatuses } from '../../../contract/vocabulary.ts'
import { listNewsletters } from '../../../features/newsletters/index.ts'
import { DateTime, formatDate } from '../../components/date-time.tsx'
import { Form } from '../../components/form/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import type { Reader } from '../../http/reader.ts'
import { pluralize } from '../../pluralize.ts'
import { can } from '../../roles.ts'
import { NewsletterStatusBadge } from './header.tsx'
import { newsletterStatusBadges } from './status-badges.ts'

const perPage = 25
const newsletterId = /^nl_[0-9a-f]{32}$/

async function show(context: MemberRequest): Promise<Response> {
  const params = context.url.searchParams
  const status = newsletterStatuses.find((one) => one === params.get('status'))
  const after = params.get('after') ?? ''
  const { items, hasMore } = await listNewsletters(context.ctx, {
    statuses: status ? [status] : [],
    page: { page: 1, perPage, ...(newsletterId.test(after) && { afterId: after }) },
  })
  const canEdit = can(context.member.role, 'editor')
  return await layout(
    context,
    { title: 'Newsletters', section: 'newsletters' },
    <>
      <PageHeader title="Newsletters" lead="Newsletters in preparation, and those that were sent.">
        {canEdit ? (
          <a class="button primary" href="/newsletters/new">
            <Icon name="plus" />
            New newsletter
          </a>
        ) : null}
      </PageHeader>
      <nav class="segmented-control" aria-label="Filter by status">
        <StatusFilter current={status} />
      </nav>
      {items.length > 0 ? <NewsletterTable reader={context.reader} items={items} /> : null}
      {items.length === 0 ? (
        <EmptyState context={context} isFiltered={Boolean(status || after)} />
      ) : null}
      <Pagination status={status} after={after} next={hasMore ? (items.at(-1)?.id ?? '') : ''} />
    </>,
  )
}

type StatusFilterValue = NewsletterSummary['status'] | undefined

function listPath(status: StatusFilterValue, after: string): string {
  const query = new URLSearchParams({ ...(status && { status }), ...(after && { after }) })
  return query.size > 0 ? `/newsletters?${query}` : '/newsletters'
}

function Pagination({
  status,
  after,
  next,
}: {
  status: StatusFilterValue
  after: string
  next: string
}) {
  return (
    <div class="row">
      {after ? <a href={listPath(status, '')}>Newest</a> : null}
      {next ? (
        <a class="button" href={listPath(status, next)}>
          Older
        </a>
      ) : null}
    </div>
  )
}

function StatusFilter({ current }: { current: StatusFilterValue }) {
  return (
    <>
      <a href="/newsletters" aria-current={current ? undefined : 'page'}>
        All
      </a>
      {newsletterStatuses.map((status) => (
        <a href={listPath(status, '')} aria-current={status === current ? 'page' : undefined}>
          {newsletterStatusBadges[status].title}
        </a>
      ))}
    </>
  )
}

function NewsletterTable({
  reader,
  items,
}: {
  reader: Reader
  items: readonly NewsletterSummary[]
}) {
  return (
    <div class="table-container">
      <table class="responsive-table">
        <thead>
          <tr>
            <th scope="col">Newsletter</th>
            <th scope="col">Status</th>
            <th scope="col">Date</th>
            <th scope="col">Blocks</th>
            <th scope="col">Last changed</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <NewsletterRow reader={reader} item={item} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function NewsletterRow({ reader, item }: { reader: Reader; item: NewsletterSummary }) {
  return (
    <tr>
      <th scope="row">
        <a href={`/newsletters/${item.id}`} safe>
          {item.title}
        </a>
        <br />
        <span class="muted" safe>
          {item.subject_line ?? 'No subject yet'}
        </span>
      </th>
      <td>
        <NewsletterStatusBadge status={item.status} />
      </td>
      <td data-label="Date" class="nowrap">
        {item.scheduled_date ? formatDate(reader, item.scheduled_date) : 'None yet'}
      </td>
      <td data-label="Blocks" class="nowrap" safe>
        {pluralize(item.blocks_count, 'block')}
      </td>
      <td data-label={item.sent_at ? 'Sent' : 'Last changed'}>
        <DateTime reader={reader} at={new Date(item.sent_at ?? item.updated_at)} />
      </td>
    </tr>
  )
}

function EmptyState({ context, isFiltered }: { context: MemberRequest; isFiltered: boolean }) {
  if (isFiltered) return <p class="empty">No newsletters with this status.</p>
  return (
    <div class="empty">
      <h2>No newsletters yet</h2>
      <p>
        A newsletter contains ready blocks from the library in the sections of a template. You
        export it and send it with Outlook, Gmail or another tool.
      </p>
      {can(context.member.role, 'editor') ? (
        <Form context={context} action="/newsletters">
          <input type="hidden" name="suggested" value="on" />
          <button type="submit" class="primary">
            Create one with all ready blocks
          </button>
        </Form>
      ) : (
        <p>An editor of the team can create one.</p>
      )}
    </div>
  )
}

/** The route of the list of newsletters. */
export const newsletterListPages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get('/newsletters', show, { role: 'viewer' })
