import { Elysia } from 'elysia'
import type { NewsletterSummary } from '../../../contract/newsletters/newsletter.ts'
import { newsletterStatuses } from '../../../contract/vocabulary.ts'
import { listNewsletters } from '../../../features/newsletters/index.ts'
import type { UndeliveredEmail } from '../../../features/previews/index.ts'
import { DateTime, formatDate } from '../../components/dates/date-time.tsx'
import { RelativeTime } from '../../components/dates/relative-time.tsx'
import { Form } from '../../components/form/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { Table } from '../../components/table.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import type { UserLocale } from '../../http/user-locale.ts'
import type { Translate } from '../../locales/index.ts'
import { can } from '../../roles.ts'
import { findPostProblems, type PostProblem, PostProblemBadge } from './export/post-problems.tsx'
import { findUndelivered, UndeliveredBadge } from './export/undelivered.tsx'
import { NewsletterStatusBadge } from './header.tsx'
import { newsletterStatusBadges } from './status-badges.ts'

const perPage = 25
const newsletterId = /^nl_[0-9a-f]{32}$/

async function show(context: MemberRequest): Promise<Response> {
  const { t } = context
  const params = context.url.searchParams
  const status = newsletterStatuses.find((one) => one === params.get('status'))
  const after = params.get('after') ?? ''
  const { items, hasMore } = await listNewsletters(context.ctx, {
    statuses: status ? [status] : [],
    page: {
      page: 1,
      perPage,
      isCounted: false,
      ...(newsletterId.test(after) && { afterId: after }),
    },
  })
  const canEdit = can(context.member.role, 'editor')
  return await layout(
    context,
    { title: t('common.newsletters'), section: 'newsletters' },
    <>
      <PageHeader
        title={t('common.newsletters')}
        lead={t('newsletters.newsletters_in_preparation_and_those')}
      >
        {canEdit ? (
          <a class="button primary" href="/newsletters/new">
            <Icon name="plus" />
            {t('newsletters.new_newsletter')}
          </a>
        ) : null}
      </PageHeader>
      <nav class="segmented-control" aria-label={t('newsletters.filter_by_status')}>
        <StatusFilter t={t} current={status} />
      </nav>
      {items.length > 0 ? <NewsletterTable context={context} items={items} /> : null}
      {items.length === 0 ? (
        <EmptyState context={context} isFiltered={Boolean(status || after)} />
      ) : null}
      <Pagination
        t={t}
        status={status}
        after={after}
        next={hasMore ? (items.at(-1)?.id ?? '') : ''}
      />
    </>,
  )
}

type StatusFilterValue = NewsletterSummary['status'] | undefined

function listPath(status: StatusFilterValue, after: string): string {
  const query = new URLSearchParams({ ...(status && { status }), ...(after && { after }) })
  return query.size > 0 ? `/newsletters?${query}` : '/newsletters'
}

function Pagination({
  t,
  status,
  after,
  next,
}: {
  t: Translate
  status: StatusFilterValue
  after: string
  next: string
}) {
  return (
    <div class="row">
      {after ? <a href={listPath(status, '')}>{t('newsletters.newest')}</a> : null}
      {next ? (
        <a class="button" href={listPath(status, next)}>
          {t('common.older')}
        </a>
      ) : null}
    </div>
  )
}

function StatusFilter({ t, current }: { t: Translate; current: StatusFilterValue }) {
  return (
    <>
      <a href="/newsletters" aria-current={current ? undefined : 'page'}>
        {t('newsletters.all')}
      </a>
      {newsletterStatuses.map((status) => (
        <a href={listPath(status, '')} aria-current={status === current ? 'page' : undefined}>
          {t(newsletterStatusBadges[status].title)}
        </a>
      ))}
    </>
  )
}

async function NewsletterTable({
  context,
  items,
}: {
  context: MemberRequest
  items: readonly NewsletterSummary[]
}) {
  const { t } = context
  const idsOf = (isSent: boolean) =>
    items.filter(({ status }) => (status === 'sent') === isSent).map(({ id }) => id)
  const [problems, undelivered] = await Promise.all([
    findPostProblems(context, idsOf(true)),
    findUndelivered(context, idsOf(false)),
  ])
  return (
    <Table
      class="inline-cells single-line-rows"
      columns={[
        t('newsletters.newsletter'),
        t('common.status'),
        t('common.date'),
        t('newsletters.blocks'),
        t('newsletters.last_changed'),
      ]}
    >
      {items.map((item) => (
        <NewsletterRow
          context={context}
          item={item}
          problem={problems.find(({ newsletter_id }) => newsletter_id === item.id)}
          undelivered={undelivered.filter(({ newsletter_id }) => newsletter_id === item.id)}
        />
      ))}
    </Table>
  )
}

function NewsletterRow({
  context,
  item,
  problem,
  undelivered,
}: {
  context: MemberRequest
  item: NewsletterSummary
  problem: PostProblem | undefined
  undelivered: readonly UndeliveredEmail[]
}) {
  const { t, userLocale, deps } = context
  return (
    <tr>
      <th scope="row">
        <span class="cell">
          <a class="cut" href={`/newsletters/${item.id}`} safe>
            {item.title}
          </a>
          {item.subject_line === item.title ? null : (
            <span class="cut muted" safe>
              {item.subject_line ?? t('newsletters.no_subject_yet')}
            </span>
          )}
        </span>
      </th>
      <td>
        <NewsletterStatusBadge t={t} status={item.status} />{' '}
        {problem ? <PostProblemBadge context={context} problem={problem} isShort /> : null}
        <UndeliveredBadge context={context} emails={undelivered} />
      </td>
      <td class="nowrap">
        <NewsletterDate userLocale={userLocale} item={item} />
      </td>
      <td class="nowrap" safe>
        {t('newsletters.block', { count: item.blocks_count })}
      </td>
      <td class="muted">
        {item.sent_at ? null : (
          <RelativeTime userLocale={userLocale} at={new Date(item.updated_at)} now={deps.now()} />
        )}
      </td>
    </tr>
  )
}

/** When a newsletter was sent, or is planned for. */
function NewsletterDate({ userLocale, item }: { userLocale: UserLocale; item: NewsletterSummary }) {
  if (item.sent_at) return <DateTime userLocale={userLocale} at={new Date(item.sent_at)} dateOnly />
  return item.scheduled_date ? formatDate(userLocale, item.scheduled_date) : ''
}

function EmptyState({ context, isFiltered }: { context: MemberRequest; isFiltered: boolean }) {
  const { t } = context
  if (isFiltered) return <p class="empty">{t('newsletters.no_newsletters_with_this_status')}</p>
  return (
    <div class="empty">
      <h2>{t('newsletters.no_newsletters_yet')}</h2>
      <p>{t('newsletters.a_newsletter_contains_ready_blocks')}</p>
      {can(context.member.role, 'editor') ? (
        <Form context={context} action="/newsletters">
          <input type="hidden" name="suggested" value="on" />
          <button type="submit">{t('newsletters.create_one_with_all_ready')}</button>
        </Form>
      ) : (
        <p>{t('newsletters.an_editor_of_the_team')}</p>
      )}
    </div>
  )
}

/** The route of the list of newsletters. */
export const newsletterListPages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get('/newsletters', show, { role: 'viewer' })
