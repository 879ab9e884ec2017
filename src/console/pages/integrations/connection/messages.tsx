import { Elysia } from 'elysia'
import {
  type ChatMessage,
  type ChatMessageKind,
  type ChatMessageStatus,
  listMessages,
  retryMessage,
} from '../../../../features/chat-messages/index.ts'
import { RelativeTime } from '../../../components/dates/relative-time.tsx'
import { Form } from '../../../components/form/form.tsx'
import { connectionName } from '../../../components/provider-name.ts'
import { Table } from '../../../components/table.tsx'
import { access } from '../../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../../http/context.ts'
import { once } from '../../../http/forms/once.ts'
import { redirect, success } from '../../../http/responses.ts'
import type { TextKey } from '../../../locales/index.ts'
import { connectionLayout } from './layout.tsx'
import { getConnectionInPath } from './load-connection.ts'

const perPage = 50

const kindLabels = {
  published: 'integrations.message_published',
  declined: 'integrations.message_declined',
  review: 'integrations.message_review',
  prompt: 'integrations.message_prompt',
  reminder: 'integrations.message_reminder',
  reply: 'integrations.message_reply',
} as const satisfies Record<ChatMessageKind, TextKey>

const statusBadges = {
  waiting: { tone: '', label: 'integrations.message_waiting' },
  sending: { tone: 'warning', label: 'integrations.message_sending' },
  sent: { tone: 'success', label: 'integrations.message_sent' },
  skipped: { tone: '', label: 'integrations.message_skipped' },
  failed: { tone: 'danger', label: 'integrations.message_failed' },
  unknown: { tone: 'danger', label: 'integrations.message_unknown' },
} as const satisfies Record<ChatMessageStatus, { tone: string; label: TextKey }>

async function messagesPage(context: MemberRequest): Promise<Response> {
  const { t, ctx, url } = context
  const connection = await getConnectionInPath(context)
  const before = url.searchParams.get('before')
  const slice = { connectionId: connection.id, before, limit: perPage + 1 }
  const found = await listMessages(ctx, slice)
  const rows = found.slice(0, perPage)
  const oldest = found.length > perPage ? rows.at(-1) : undefined
  const title = t('integrations.messages_of', { connection: connectionName(context, connection) })
  const path = `/integrations/${connection.id}`
  return await connectionLayout(
    context,
    { connection, title, tab: '/messages' },
    <>
      <p class="lead">{t('integrations.messages_lead')}</p>
      {rows.length === 0 ? (
        <p class="muted">{t('integrations.no_messages')}</p>
      ) : (
        <MessageTable context={context} rows={rows} />
      )}
      <p class="row">
        {before === null ? null : <a href={`${path}/messages`}>{t('integrations.newest')}</a>}
        {oldest ? <a href={`${path}/messages?before=${oldest.id}`}>{t('common.older')}</a> : null}
      </p>
    </>,
  )
}

function MessageTable({ context, rows }: { context: MemberRequest; rows: readonly ChatMessage[] }) {
  const { t, userLocale, deps } = context
  return (
    <Table
      columns={[
        t('integrations.when'),
        t('integrations.message_to'),
        t('integrations.message_about'),
        t('common.status'),
        t('integrations.reason'),
      ]}
      actions={t('integrations.message_retry')}
    >
      {rows.map((row) => (
        <tr>
          <th scope="row" class="nowrap">
            <RelativeTime
              userLocale={userLocale}
              at={row.settled_at ?? row.created_at}
              now={deps.now()}
            />
          </th>
          <td class="nowrap" data-label={t('integrations.message_to')}>
            <code safe>{row.recipient}</code>
          </td>
          <td data-label={t('integrations.message_about')}>{t(kindLabels[row.kind])}</td>
          <td data-label={t('common.status')}>
            <span class={`badge ${statusBadges[row.status].tone}`}>
              {t(statusBadges[row.status].label)}
            </span>
          </td>
          <td class="reason" data-label={t('integrations.reason')}>
            <span safe>{t.fromEnglish(row.reason ?? '')}</span>
          </td>
          <td class="actions">
            <RetryForm context={context} message={row} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

function RetryForm({
  context,
  message: { id, status },
}: {
  context: MemberRequest
  message: ChatMessage
}) {
  if (status !== 'failed' && status !== 'unknown') return null
  return (
    <Form context={context} action={`/integrations/messages/${id}/retry`} class="row">
      <button type="submit" class="small">
        {context.t('integrations.message_retry')}
      </button>
    </Form>
  )
}

async function retry(context: MemberRequest): Promise<Response> {
  const { t, ctx, deps } = context
  const id = context.params['id'] ?? ''
  const { connectionId } = await retryMessage({ ...ctx, queue: deps.queue }, { id })
  const done = success(t('integrations.message_is_sent_again'))
  return redirect(context, `/integrations/${connectionId}/messages`, done)
}

/** Routes of the page with the messages that a connection sends to people and channels. */
export const messagePages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/integrations/:id/messages', messagesPage, { role: 'admin' })
    .post('/integrations/messages/:id/retry', once(retry), { role: 'admin' })
