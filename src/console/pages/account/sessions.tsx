import { Elysia } from 'elysia'
import {
  endOtherSessions,
  endSession,
  listSessions,
  type OpenSession,
} from '../../../features/sessions/index.ts'
import { attribute } from '../../attribute.ts'
import { formatTime } from '../../components/dates/date-time.tsx'
import { RelativeTime } from '../../components/dates/relative-time.tsx'
import { deviceName } from '../../components/device-name.ts'
import { Form } from '../../components/form/form.tsx'
import { shortAddress } from '../../components/network-address.ts'
import { access } from '../../http/access.ts'
import { accountContext, type ConsoleDeps, type MemberRequest } from '../../http/context.ts'
import { redirect, success } from '../../http/responses.ts'

/** The sessions of the person, with buttons that end them. */
export async function SessionList({ context }: { context: MemberRequest }) {
  const { deps, signedIn, t } = context
  const sessions = await listSessions(deps, signedIn.account.id)
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">{t('account.where_you_are_signed_in')}</h2>
      <ul class="sessions">
        {sessions.map((session) => (
          <SessionRow context={context} session={session} />
        ))}
      </ul>
      <div class="row">
        {sessions.length > 1 ? (
          <Form context={context} action="/account/sessions/end-others">
            <button type="submit">{t('account.sign_out_everywhere_else')}</button>
          </Form>
        ) : null}
        <Form context={context} action="/account/sign-out-everywhere">
          <button type="submit">{t('account.sign_out_everywhere')}</button>
        </Form>
      </div>
    </section>
  )
}

function SessionRow({ context, session }: { context: MemberRequest; session: OpenSession }) {
  const { t } = context
  const { id, ip_address, created_at, updated_at } = session
  const device = deviceName(t, session.user_agent)
  const current = id === context.signedIn.sessionId
  return (
    <li>
      <div>
        <strong safe>{device}</strong>{' '}
        {current ? <span class="badge success">{t('account.this_browser')}</span> : null}
        <br />
        <span class="muted">
          {t.html('account.session_since', {
            date: () => (
              <RelativeTime
                userLocale={context.userLocale}
                at={created_at}
                now={context.deps.now()}
              />
            ),
            isKnown: ip_address ? 'yes' : 'no',
            address: shortAddress(ip_address ?? ''),
          })}
          {current
            ? null
            : t.html('account.last_seen', {
                date: () => (
                  <RelativeTime
                    userLocale={context.userLocale}
                    at={updated_at}
                    now={context.deps.now()}
                  />
                ),
              })}
        </span>
      </div>
      {current ? null : (
        <Form context={context} action={`/account/sessions/${id}/end`}>
          <button
            type="submit"
            class="small danger"
            aria-label={t('account.sign_out_since', {
              device: attribute(device),
              created_at: formatTime(context.userLocale, created_at),
            })}
          >
            {t('account.sign_out')}
          </button>
        </Form>
      )}
    </li>
  )
}

async function endOne(context: MemberRequest): Promise<Response> {
  const { signedIn, params, t } = context
  const ended = await endSession(accountContext(context), {
    id: params['id'] ?? '',
    nameOf: ({ user_agent }) => deviceName(t, user_agent),
  })
  const own = ended.id === signedIn.sessionId
  return redirect(
    context,
    own ? '/login' : '/account',
    success(t('account.that_browser_is_signed_out')),
  )
}

async function endOthers(context: MemberRequest): Promise<Response> {
  const { t } = context
  await endOtherSessions(accountContext(context), context.signedIn.sessionId)
  return redirect(context, '/account', success(t('account.you_are_signed_out')))
}

/** Routes that end sessions. */
export const accountSessionPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/account/sessions/:id/end', endOne, { role: 'viewer' })
    .post('/account/sessions/end-others', endOthers, { role: 'viewer' })
