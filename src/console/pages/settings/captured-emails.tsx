import { Elysia } from 'elysia'
import {
  type CapturedEmail,
  getCapturedEmail,
  listCapturedEmails,
} from '../../../features/captured-emails/index.ts'
import { settingsScreen } from '../../components/settings.tsx'
import { Time } from '../../components/time.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import { framed, showsImages } from '../../http/responses.ts'

async function show(context: MemberRequest): Promise<Response> {
  const mails = await listCapturedEmails(context.deps.sql, context.teamId)
  return await settingsScreen(
    context,
    {
      tab: '/settings/outbox',
      title: 'Outbox',
      lead: context.deps.mail
        ? 'Mail goes out. Here is what was kept before it was set up.'
        : 'Mail is not set up, so it is kept here for 30 days instead of sent. An operator sets SMTP_URL and MAIL_FROM to send it.',
    },
    mails.length === 0 ? <NoMail /> : <MailTable mails={mails} />,
  )
}

function NoMail() {
  return (
    <div class="empty">
      <h2>Nothing kept</h2>
      <p>Send a preview of a newsletter, and it shows up here as its readers would get it.</p>
      <a class="button" href="/newsletters">
        Go to the newsletters
      </a>
    </div>
  )
}

function MailTable({ mails }: { mails: readonly CapturedEmail[] }) {
  return (
    <div class="table-frame">
      <table class="stack">
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
                <a href={`/settings/outbox/${id}`} safe>
                  {subject}
                </a>
              </th>
              <td safe>{recipient}</td>
              <td>
                <Time at={created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const mailOf = (context: MemberRequest) =>
  getCapturedEmail(context.deps.sql, context.teamId, context.params['id'] ?? '')

async function showOne(context: MemberRequest): Promise<Response> {
  const { id, subject, recipient, text, created_at } = await mailOf(context)
  return await settingsScreen(
    context,
    { tab: '/settings/outbox', title: subject },
    <>
      <dl class="facts">
        <dt>To</dt>
        <dd safe>{recipient}</dd>
        <dt>When</dt>
        <dd>
          <Time at={created_at} />
        </dd>
      </dl>
      <iframe
        class="mail"
        src={`/settings/outbox/${id}/html${showsImages(context) ? '?images=shown' : ''}`}
        title="The mail"
        sandbox="allow-popups allow-popups-to-escape-sandbox"
      />
      {showsImages(context) ? null : (
        <p>
          <a class="button small" href={`/settings/outbox/${id}?images=shown`}>
            Show images
          </a>{' '}
          <span class="quiet">Loads them from other websites.</span>
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
  const { html } = await mailOf(context)
  return framed(html, { images: showsImages(context) })
}

/** Mail that was kept instead of sent. */
export const capturedEmailPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/settings/outbox', show, { role: 'admin' })
    .get('/settings/outbox/:id', showOne, { role: 'admin' })
    .get('/settings/outbox/:id/html', frame, { role: 'admin' })
