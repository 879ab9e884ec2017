import { Elysia } from 'elysia'
import {
  type FailedJob,
  type JobStates,
  listFailedJobs,
  listJobStates,
  retryJob,
} from '../../../features/jobs/index.ts'
import { DateTime } from '../../components/date-time.tsx'
import { Form } from '../../components/form/form.tsx'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import type { Reader } from '../../http/reader.ts'
import { redirect, success } from '../../http/responses.ts'

async function show(context: MemberRequest): Promise<Response> {
  const { sql } = context.deps
  const ctx = { ...context.ctx, sql }
  const [states, failed] = await Promise.all([listJobStates(ctx), listFailedJobs(ctx)])
  return await settingsLayout(
    context,
    {
      tab: '/settings/jobs',
      title: 'Jobs',
      lead: 'Work that runs in the background, of this team and of the installation. A job that fails is retried by itself, later each time.',
    },
    <>
      <StatesTable reader={context.reader} states={states} />
      <h2>Failed jobs</h2>
      {failed.length === 0 ? (
        <p class="muted">No job has failed in the last 7 days.</p>
      ) : (
        <FailedTable context={context} jobs={failed} />
      )}
    </>,
  )
}

function StatesTable({ reader, states }: { reader: Reader; states: readonly JobStates[] }) {
  return (
    <div class="table-container">
      <table class="responsive-table">
        <thead>
          <tr>
            <th scope="col">Job</th>
            <th scope="col">Waiting</th>
            <th scope="col">Active</th>
            <th scope="col">Retrying</th>
            <th scope="col">Failed</th>
            <th scope="col">Completed in 24 hours</th>
            <th scope="col">Oldest</th>
          </tr>
        </thead>
        <tbody>
          {states.map((row) => (
            <tr>
              <th scope="row" safe>
                {row.label}
              </th>
              <td data-label="Waiting">{row.waiting}</td>
              <td data-label="Active">{row.active}</td>
              <td data-label="Retrying">{row.retrying}</td>
              <td data-label="Failed">
                {row.failed > 0 ? <span class="badge danger">{row.failed}</span> : 0}
              </td>
              <td data-label="Completed in 24 hours">{row.completed}</td>
              <td data-label="Oldest">
                {row.oldestAt ? (
                  <DateTime reader={reader} at={row.oldestAt} />
                ) : (
                  <span class="muted">None</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function FailedTable({ context, jobs }: { context: MemberRequest; jobs: readonly FailedJob[] }) {
  return (
    <div class="table-container">
      <table class="responsive-table">
        <thead>
          <tr>
            <th scope="col">Job</th>
            <th scope="col">Reason</th>
            <th scope="col">Failed</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.map(({ reference, label, reason, attempts, failedAt }) => (
            <tr>
              <th scope="row" safe>
                {label}
              </th>
              <td data-label="Reason" safe>
                {reason}
              </td>
              <td data-label="Failed">
                <DateTime reader={context.reader} at={failedAt} />
                <span class="muted" safe>
                  {attempts === 1 ? ', 1 attempt' : `, ${attempts} attempts`}
                </span>
              </td>
              <td class="actions">
                <Form context={context} action={`/settings/jobs/${reference}/retry`}>
                  <button type="submit" class="small">
                    Retry
                  </button>
                </Form>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

async function retry(context: MemberRequest): Promise<Response> {
  const ctx = { ...context.ctx, queue: context.deps.queue }
  const { label } = await retryJob(ctx, context.params['id'] ?? '')
  return redirect(context, '/settings/jobs', success(`The job is retried: ${label}.`))
}

/** Routes of the jobs page. */
export const jobPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/settings/jobs', show, { role: 'admin' })
    .post('/settings/jobs/:id/retry', retry, { role: 'admin' })
