import { Elysia } from 'elysia'
import {
  endOtherSessions,
  endSession,
  listSessions,
  type OpenSession,
} from '../../features/sessions/index.ts'
import { attribute } from '../attribute.ts'
import { shortAddress } from '../components/address.ts'
import { DateTime, formatTime } from '../components/date-time.tsx'
import { deviceName } from '../components/device.ts'
import { Form } from '../components/form/form.tsx'
import { access } from '../http/access.ts'
import { accountContext, type ConsoleDeps, type MemberRequest } from '../http/context.ts'
import { redirect, success } from '../http/responses.ts'

/** The sessions of the person, with buttons that end them. */
export async function SessionList({ context }: { context: MemberRequest }) {
  const { deps, signedIn } = context
  const sessions = await listSessions(deps, signedIn.account.id)
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Where you are signed in</h2>
      <ul class="sessions">
        {sessions.map((session) => (
          <SessionRow context={context} session={session} />
        ))}
      </ul>
      <div class="row">
        {sessions.length > 1 ? (
          <Form context={context} action="/account/sessions/end-others">
            <button type="submit">Sign out everywhere else</button>
          </Form>
        ) : null}
        <Form context={context} action="/account/sign-out-everywhere">
          <button type="submit">Sign out everywhere</button>
        </Form>
      </div>
    </section>
  )
}

function SessionRow({ context, session }: { context: MemberRequest; session: OpenSession }) {
  const { id, ip_address, created_at, updated_at } = session
  const device = deviceName(session.user_agent)
  const current = id === context.signedIn.sessionId
  return (
    <li>
      <div>
        <strong safe>{device}</strong>{' '}
        {current ? <span class="badge success">this browser</span> : null}
        <br />
        <span class="muted">
          Since <DateTime reader={context.reader} at={created_at} />
          {ip_address ? <span class="mono" safe>{` from ${shortAddress(ip_address)}`}</span> : null}
          {current ? null : (
            <>
              , last seen <DateTime reader={context.reader} at={updated_at} />
            </>
          )}
        </span>
      </div>
      {current ? null : (
        <Form context={context} action={`/account/sessions/${id}/end`}>
          <button
            type="submit"
            class="small danger"
            aria-label={`Sign out ${attribute(device)}, since ${formatTime(context.reader, created_at)}`}
          >
            Sign out
          </button>
        </Form>
      )}
    </li>
  )
}

async function endOne(context: MemberRequest): Promise<Response> {
  const { signedIn, params } = context
  const ended = await endSession(accountContext(context), {
    id: params['id'] ?? '',
    nameOf: ({ user_agent }) => deviceName(user_agent),
  })
  const own = ended.id === signedIn.sessionId
  return redirect(context, own ? '/login' : '/account', success('That browser is signed out.'))
}

async function endOthers(context: MemberRequest): Promise<Response> {
  await endOtherSessions(accountContext(context), context.signedIn.sessionId)
  return redirect(context, '/account', success('You are signed out in all other browsers.'))
}

/** Routes that end sessions. */
export const accountSessionPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/account/sessions/:id/end', endOne, { role: 'viewer' })
    .post('/account/sessions/end-others', endOthers, { role: 'viewer' })
