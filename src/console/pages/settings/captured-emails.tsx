import { Elysia } from 'elysia'
import {
  type CapturedEmail,
  getCapturedEmail,
  listCapturedEmails,
} from '../../../features/captured-emails/index.ts'
import { DateTime } from '../../components/dates/date-time.tsx'
import { RelativeTime } from '../../components/dates/relative-time.tsx'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { Table } from '../../components/table.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import { emailFrame, hasRemoteImages } from '../../http/email-frame.ts'
import { redirect, showsImages } from '../../http/responses.ts'
import type { Translate } from '../../locales/index.ts'

async function show(context: MemberRequest): Promise<Response> {
  const { t } = context
  const emails = await listCapturedEmails(context.ctx)
  return await settingsLayout(
    context,
    {
      tab: '/settings/captured-emails',
      title: t('captured_emails.captured_emails'),
      lead: context.deps.mail
        ? t('captured_emails.emails_are_sent_these_were')
        : t('captured_emails.email_is_not_configured_so'),
    },
    emails.length === 0 ? <EmptyState t={t} /> : <EmailTable context={context} emails={emails} />,
  )
}

function EmptyState({ t }: { t: Translate }) {
  return (
    <div class="empty">
      <h2>{t('captured_emails.no_captured_emails')}</h2>
      <p>{t('captured_emails.send_a_preview')}</p>
      <a class="button" href="/newsletters">
        {t('captured_emails.open_the_newsletters')}
      </a>
    </div>
  )
}

function EmailTable({
  context: { t, userLocale, deps },
  emails,
}: {
  context: MemberRequest
  emails: readonly CapturedEmail[]
}) {
  return (
    <Table
      columns={[t('captured_emails.subject'), t('captured_emails.to'), t('captured_emails.when')]}
    >
      {emails.map(({ id, subject, recipient, created_at }) => (
        <tr>
          <th scope="row">
            <a href={`/settings/captured-emails/${id}`} safe>
              {subject}
            </a>
          </th>
          <td safe>{recipient}</td>
          <td>
            <RelativeTime userLocale={userLocale} at={created_at} now={deps.now()} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

const loadEmail = (context: MemberRequest) =>
  getCapturedEmail(context.ctx, context.params['id'] ?? '')

async function showOne(context: MemberRequest): Promise<Response> {
  const { t } = context
  const { id, subject, recipient, text, html, created_at } = await loadEmail(context)
  return await settingsLayout(
    context,
    { tab: '/settings/captured-emails', title: subject },
    <>
      <dl class="details-list">
        <dt>{t('captured_emails.to')}</dt>
        <dd safe>{recipient}</dd>
        <dt>{t('captured_emails.when')}</dt>
        <dd>
          <DateTime userLocale={context.userLocale} at={created_at} />
        </dd>
      </dl>
      <iframe
        class="email-frame"
        src={`/settings/captured-emails/${id}/html${showsImages(context) ? '?images=shown' : ''}`}
        title={t('captured_emails.the_email')}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
      />
      {showsImages(context) || !hasRemoteImages(html, context.deps.baseUrl) ? null : (
        <p>
          <a class="button small" href={`/settings/captured-emails/${id}?images=shown`}>
            {t('common.show_images')}
          </a>{' '}
          <span class="muted">{t('common.loads_them_from_other_websites')}</span>
        </p>
      )}
      <details>
        <summary>{t('captured_emails.as_plain_text')}</summary>
        <pre class="prose" safe>
          {text}
        </pre>
      </details>
    </>,
  )
}

async function frame(context: MemberRequest): Promise<Response> {
  const { html } = await loadEmail(context)
  return emailFrame(html, {
    baseUrl: context.deps.baseUrl,
    images: showsImages(context) ? 'all' : 'own',
  })
}

/** Redirects from the former paths. Throws `not_found`. */
async function redirectFromFormerPath(context: MemberRequest): Promise<Response> {
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
    .get('/settings/outbox', redirectFromFormerPath, { role: 'admin' })
    .get('/settings/outbox/:id', redirectFromFormerPath, { role: 'admin' })
