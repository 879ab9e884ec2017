import {
  type CapturedEmail,
  getCapturedEmail,
  listCapturedEmails,
} from '../../../features/captured-emails/index.ts'
import { settingsScreen } from '../../components/settings.tsx'
import { Time } from '../../components/time.tsx'
import { type MemberRequest, page, type Route } from '../../page.ts'
import { framed } from '../../responses.ts'

const show = page('/settings/outbox', 'admin', async (visit) => {
  const mails = await listCapturedEmails(visit.deps.sql, visit.teamId)
  return await settingsScreen(
    visit,
    {
      tab: '/settings/outbox',
      title: 'Outbox',
      lead: visit.deps.mail
        ? 'Mail goes out. Here is what was kept before it was set up.'
        : 'Mail is not set up, so it is kept here for 30 days instead of sent. An operator sets SMTP_URL and MAIL_FROM to send it.',
    },
    mails.length === 0 ? <NoMail /> : <MailTable mails={mails} />,
  )
})

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

const mailOf = (visit: MemberRequest) =>
  getCapturedEmail(visit.deps.sql, visit.teamId, visit.params['id'] ?? '')

const showOne = page('/settings/outbox/:id', 'admin', async (visit) => {
  const { id, subject, recipient, text, created_at } = await mailOf(visit)
  return await settingsScreen(
    visit,
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
        src={`/settings/outbox/${id}/html`}
        title="The mail"
        sandbox="allow-popups allow-popups-to-escape-sandbox"
      />
      <details>
        <summary>As plain text</summary>
        <pre class="prose" safe>
          {text}
        </pre>
      </details>
    </>,
  )
})

const frame = page('/settings/outbox/:id/html', 'admin', async (visit) => {
  const { html } = await mailOf(visit)
  return framed(html)
})

/** Mail that was kept instead of sent. */
export const capturedEmailRoutes: readonly Route[] = [show, showOne, frame]
