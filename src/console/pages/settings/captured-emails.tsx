import { Elysia } from 'elysia'
import {
  type CapturedEmail,
  getCapturedEmail,
  listCapturedEmails,
} from '../../../features/captured-emails/index.ts'
import { DateTime } from '../../components/date-time.tsx'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import type { Reader } from '../../http/reader.ts'
import { emailFrame, redirect, showsImages } from '../../http/responses.ts'

async function show(context: MemberRequest): Promise<Response> {
  const mails = await listCapturedEmails(context.ctx)
  return await settingsLayout(
    context,
    {
      tab: '/settings/captured-emails',
      title: 'Captured emails',
      lead: context.deps.mail
        ? 'Emails are sent. These were captured before email was configured.'
        : 'Email is not configured, so emails are stored here for 30 days instead of sent. An operator can set SMTP_URL and MAIL_FROM.',
    },
    mails.length === 0 ? <EmptyState /> : <EmailTable reader={context.reader} mails={mails} />,
  )
}

function EmptyState() {
  return (
    <div class="empty">
      <h2>No captured emails</h2>
      <p>Send a preview of a newsletter: it is shown here as its readers would receive it.</p>
      <a class="button" href="/newsletters">
        Open the newsletters
      </a>
    </div>
  )
}

function EmailTable({ reader, mails }: { reader: Reader; mails: readonly CapturedEmail[] }) {
  return (
    <div class="table-container">
      <table class="responsive-table">
        <thead>
          <tr>
            <th scope="col">Subject</th>
            <th scope="col">To</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {mails.map(({ id, subject, recipient, created_at }) => (
            <tr>
              <th scope="row">
                <a href={`/settings/captured-emails/${id}`} safe>
                  {subject}
                </a>
              </th>
              <td safe>{recipient}</td>
              <td>
                <DateTime reader={reader} at={created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const loadEmail = (context: MemberRequest) =>
  getCapturedEmail(context.ctx, context.params['id'] ?? '')

async function showOne(context: MemberRequest): Promise<Response> {
  const { id, subject, recipient, text, created_at } = await loadEmail(context)
  return await settingsLayout(
    context,
    { tab: '/settings/captured-emails', title: subject },
    <>
      <dl class="details-list">
        <dt>To</dt>
        <dd safe>{recipient}</dd>
        <dt>When</dt>
        <dd>
          <DateTime reader={context.reader} at={created_at} />
        </dd>
      </dl>
      <iframe
        class="email-frame"
        src={`/settings/captured-emails/${id}/html${showsImages(context) ? '?images=shown' : ''}`}
        title="The email"
        sandbox="allow-popups allow-popups-to-escape-sandbox"
      />
      {showsImages(context) ? null : (
        <p>
          <a class="button small" href={`/settings/captured-emails/${id}?images=shown`}>
            Show images
          </a>{' '}
          <span class="muted">Loads them from other websites.</span>
        </p>
      )}
      <details>
        <summary>As plain text</summary>
        <pre class="prose" safe>
          {text}
        </pre>
      </details>
    </>,
  )
}

async function frame(context: MemberRequest): Promise<Response> {
  const { html } = await loadEmail(context)
  return emailFrame(html, { images: showsImages(context) })
}

/** Redirects from the former paths. Throws `not_found`. */
async function redirectFromOutbox(context: MemberRequest): Promise<Response> {
  const path = '/settings/captured-emails'
  if (!context.params['id']) return redirect(context, path)
  const { id } = await loadEmail(context)
  return redirect(context, `${path}/${id}`)
}

/** Routes of captured emails. */
export const capturedEmailPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/settings/captured-emails', show, { role: 'admin' })
    .get('/settings/captured-emails/:id', showOne, { role: 'admin' })
    .get('/settings/captured-emails/:id/html', frame, { role: 'admin' })
    .get('/settings/outbox', redirectFromOutbox, { role: 'admin' })
    .get('/settings/outbox/:id', redirectFromOutbox, { role: 'admin' })
