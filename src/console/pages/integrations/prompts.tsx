import { Elysia } from 'elysia'
import {
  getPromptSchedule,
  listPrompts,
  type PromptDay,
  type PromptSchedule,
  savePromptSchedule,
  setPromptMuted,
} from '../../../features/prompts/index.ts'
import { notFound } from '../../../lib/errors.ts'
import { formatDate } from '../../components/dates/date-time.tsx'
import { Form } from '../../components/form/form.tsx'
import { connectionName } from '../../components/provider-name.ts'
import { Table } from '../../components/table.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest, SubmittedForm } from '../../http/context.ts'
import { textOf } from '../../http/forms/form-data.ts'
import { redirect, success } from '../../http/responses.ts'
import type { Translate } from '../../locales/index.ts'
import { connectionLayout } from './connection/layout.tsx'
import { loadWithIntegration } from './connection/load-connection.ts'
import { PromptForm, PromptInput, promptSettingsFrom } from './prompt-form.tsx'

const listedPrompts = 20

const pathOf = ({ params }: MemberRequest) =>
  `/integrations/${encodeURIComponent(params['id'] ?? '')}/prompts`

/** The connection in the path, if its chat can be asked for news. Throws `not_found`. */
async function loadChat(context: MemberRequest) {
  const loaded = await loadWithIntegration(context)
  if (!loaded.integration.sendsMessages) throw notFound('This page')
  return loaded
}

async function promptsPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t, ctx, userLocale } = context
  const { connection } = await loadChat(context)
  const connectionId = connection.id
  const language = userLocale.language
  const asked = { connectionId, timeZone: userLocale.timeZone ?? 'UTC', language }
  const [schedule, prompts] = await Promise.all([
    getPromptSchedule(ctx, asked),
    listPrompts(ctx, { connectionId, limit: listedPrompts }),
  ])
  const title = t('prompts.title', { connection: connectionName(context, connection) })
  return await connectionLayout(
    context,
    { connection, title, tab: '/prompts' },
    <>
      <p class="lead">{t('prompts.lead')}</p>
      <div class="form-and-facts">
        <div>
          <PromptForm
            context={context}
            action={pathOf(context)}
            schedule={schedule}
            submitted={submitted}
          />
        </div>
        <aside>
          <MutedChannels context={context} schedule={schedule} />
          <NextDays context={context} schedule={schedule} />
          <h2>{t('prompts.asked')}</h2>
          {prompts.length === 0 ? (
            <p class="muted">{t('prompts.none')}</p>
          ) : (
            <PromptTable context={context} prompts={prompts} />
          )}
        </aside>
      </div>
    </>,
  )
}

interface ScheduleProps {
  context: MemberRequest
  schedule: PromptSchedule
}

/** The next days, with those that are left out because of a holiday. */
function NextDays({ context: { t, userLocale }, schedule: { next } }: ScheduleProps) {
  if (next.length === 0) return ''
  return (
    <section aria-labelledby="next-days">
      <h2 id="next-days">{t('prompts.next')}</h2>
      <ul class="days">
        {next.map(({ day, skipped }) => (
          <li>
            <span safe>{formatDate(userLocale, day, 'fullDate')}</span>
            {skipped ? (
              <>
                {': '}
                <SkippedDay t={t} skipped={skipped} />
              </>
            ) : (
              ''
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function SkippedDay({ t, skipped }: { t: Translate; skipped: NonNullable<PromptDay['skipped']> }) {
  if (skipped.kind === 'day_off') return t('prompts.day_off')
  return <span safe>{t('prompts.holiday', { name: skipped.name })}</span>
}

/** The channels that somebody has switched off in the chat. */
function MutedChannels({ context, schedule }: ScheduleProps) {
  const { t } = context
  const muted = schedule.channels.flatMap(({ channel, muted_by_name: name }) =>
    name === null ? [] : { channel, name },
  )
  return (
    <>
      {muted.map(({ channel, name }) => (
        <Form context={context} action={`${pathOf(context)}/unmute`} class="notice row">
          <input type="hidden" name="channel" value={channel} />
          <span safe>{t('prompts.muted', { channel, name })}</span>
          <button type="submit" class="small">
            {t('prompts.unmute')}
          </button>
        </Form>
      ))}
    </>
  )
}

interface PromptTableProps {
  context: MemberRequest
  prompts: Awaited<ReturnType<typeof listPrompts>>
}

function PromptTable({ context: { t, userLocale }, prompts }: PromptTableProps) {
  return (
    <Table
      columns={[
        t('prompts.day'),
        t('prompts.channel'),
        t('prompts.question'),
        t('prompts.replies'),
      ]}
    >
      {prompts.map(({ day, channel, question, replies }) => (
        <tr>
          <th scope="row" class="nowrap" safe>
            {formatDate(userLocale, day)}
          </th>
          <td class="nowrap" data-label={t('prompts.channel')}>
            <code safe>{channel}</code>
          </td>
          <td class="reason" data-label={t('prompts.question')} safe>
            {question ?? t('prompts.standard_question')}
          </td>
          <td data-label={t('prompts.replies')}>{replies}</td>
        </tr>
      ))}
    </Table>
  )
}

async function save(context: FormRequest<typeof PromptInput>): Promise<Response> {
  const { connection, integration } = await loadChat(context)
  const settings = promptSettingsFrom(context.body, integration)
  await savePromptSchedule(context.ctx, { connectionId: connection.id, settings })
  return redirect(context, pathOf(context), success(context.t('common.saved')))
}

async function unmute(context: MemberRequest): Promise<Response> {
  const { connection } = await loadChat(context)
  const channel = textOf(context.values, 'channel')
  const change = { connectionId: connection.id, channel, muted: false, by: null }
  await setPromptMuted(context.ctx, change)
  return redirect(context, pathOf(context), success(context.t('common.saved')))
}

/** Routes of the page on which admins say when a chat is asked for news. */
export const promptPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/integrations/:id/prompts', (context) => promptsPage(context), { role: 'admin' })
    .post('/integrations/:id/prompts', save, {
      role: 'admin',
      body: PromptInput,
      renderWithErrors: promptsPage,
    })
    .post('/integrations/:id/prompts/unmute', unmute, { role: 'admin' })
