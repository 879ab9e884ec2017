import { Elysia } from 'elysia'
import {
  type FailedJob,
  type JobStates,
  listFailedJobs,
  listJobStates,
  retryJob,
} from '../../../features/jobs/index.ts'
import { RelativeTime } from '../../components/dates/relative-time.tsx'
import { Form } from '../../components/form/form.tsx'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { Table } from '../../components/table.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import { once } from '../../http/forms/once.ts'
import { redirect, success } from '../../http/responses.ts'

async function show(context: MemberRequest): Promise<Response> {
  const { t } = context
  const { sql } = context.deps
  const ctx = { ...context.ctx, sql }
  const [states, failed] = await Promise.all([listJobStates(ctx), listFailedJobs(ctx)])
  return await settingsLayout(
    context,
    {
      tab: '/settings/jobs',
      title: t('jobs.jobs'),
      lead: t('jobs.work_that_runs'),
    },
    <>
      <StatesTable context={context} states={states} />
      <h2>{t('jobs.failed_jobs')}</h2>
      {failed.length === 0 ? (
        <p class="muted">{t('jobs.no_job_has_failed')}</p>
      ) : (
        <FailedTable context={context} jobs={failed} />
      )}
    </>,
  )
}

function StatesTable({
  context: { t, userLocale, deps },
  states,
}: {
  context: MemberRequest
  states: readonly JobStates[]
}) {
  return (
    <Table
      class="inline-cells"
      columns={[
        t('jobs.job'),
        t('jobs.waiting'),
        t('jobs.active'),
        t('jobs.retrying'),
        t('jobs.failed'),
        t('jobs.completed_in_24_hours'),
        t('jobs.oldest'),
      ]}
    >
      {states.map((row) => (
        <tr>
          <th scope="row" safe>
            {t.fromEnglish(row.label)}
          </th>
          <td data-label={t('jobs.waiting')}>
            <Count of={row.waiting} />
          </td>
          <td data-label={t('jobs.active')}>
            <Count of={row.active} />
          </td>
          <td data-label={t('jobs.retrying')}>
            <Count of={row.retrying} />
          </td>
          <td data-label={t('jobs.failed')}>
            {row.failed > 0 ? <span class="badge danger">{row.failed}</span> : <Count of={0} />}
          </td>
          <td data-label={t('jobs.completed_in_24_hours')}>
            <Count of={row.completed} />
          </td>
          <td data-label={t('jobs.oldest')}>
            {row.oldestAt ? (
              <RelativeTime userLocale={userLocale} at={row.oldestAt} now={deps.now()} />
            ) : (
              <span class="muted">{t('jobs.none')}</span>
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** A number of jobs; those that are not zero stand out. */
const Count = ({ of: count }: { of: number }) => (
  <span class={count === 0 ? 'muted' : ''}>{count}</span>
)

function FailedTable({ context, jobs }: { context: MemberRequest; jobs: readonly FailedJob[] }) {
  const { t } = context
  return (
    <Table
      columns={[t('jobs.job'), t('jobs.reason'), t('jobs.failed')]}
      actions={t('common.actions')}
    >
      {jobs.map(({ reference, label, reason, attempts, failedAt }) => (
        <tr>
          <th scope="row" safe>
            {t.fromEnglish(label)}
          </th>
          <td data-label={t('jobs.reason')} safe>
            {reason}
          </td>
          <td data-label={t('jobs.failed')}>
            <RelativeTime userLocale={context.userLocale} at={failedAt} now={context.deps.now()} />
            <span class="muted" safe>
              {attempts === 1 ? t('jobs.1_attempt') : t('jobs.attempts', { attempts })}
            </span>
          </td>
          <td class="actions">
            <Form context={context} action={`/settings/jobs/${reference}/retry`}>
              <button type="submit" class="small">
                {t('jobs.retry')}
              </button>
            </Form>
          </td>
        </tr>
      ))}
    </Table>
  )
}

async function retry(context: MemberRequest): Promise<Response> {
  const { t } = context
  const ctx = { ...context.ctx, queue: context.deps.queue }
  const { label } = await retryJob(ctx, context.params['id'] ?? '')
  return redirect(
    context,
    '/settings/jobs',
    success(t('jobs.the_job_is_retried', { label: t.fromEnglish(label) })),
  )
}

/** Routes of the jobs page. */
export const jobPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/settings/jobs', show, { role: 'admin' })
    .post('/settings/jobs/:id/retry', once(retry), { role: 'admin' })
