import {
  endOtherSessions,
  endSession,
  listSessions,
  type OpenSession,
} from '../../features/sessions/index.ts'
import { attribute } from '../attribute.ts'
import { recordAuditFor } from '../audit.ts'
import { deviceOf } from '../components/device.ts'
import { Form } from '../components/form.tsx'
import { Time } from '../components/time.tsx'
import { action, type MemberRequest, NoFields, type Route } from '../page.ts'
import { redirect, success } from '../responses.ts'

/** Where the person is signed in, with what they can end. */
export async function SessionList({ visit }: { visit: MemberRequest }) {
  const { deps, signedIn } = visit
  const sessions = await listSessions(deps.sql, deps.now, signedIn.account.id)
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Where you are signed in</h2>
      <ul class="sessions">
        {sessions.map((session) => (
          <SessionRow visit={visit} session={session} />
        ))}
      </ul>
      <div class="row">
        {sessions.length > 1 ? (
          <Form visit={visit} action="/account/sessions/end-others">
            <button type="submit">Sign out everywhere else</button>
          </Form>
        ) : null}
        <Form visit={visit} action="/account/sign-out-everywhere">
          <button type="submit">Sign out everywhere</button>
        </Form>
      </div>
    </section>
  )
}

function SessionRow({ visit, session }: { visit: MemberRequest; session: OpenSession }) {
  const { id, ip_address, created_at, updated_at } = session
  const device = deviceOf(session.user_agent)
  const current = id === visit.signedIn.sessionId
  return (
    <li>
      <div>
        <strong safe>{device}</strong> {current ? <span class="badge good">this one</span> : null}
        <br />
        <span class="quiet">
          Since <Time at={created_at} />
          {ip_address ? <span class="mono" safe>{` from ${ip_address}`}</span> : null}
          {current ? null : (
            <>
              , last seen <Time at={updated_at} />
            </>
          )}
        </span>
      </div>
      {current ? null : (
        <Form visit={visit} action={`/account/sessions/${id}/end`}>
          <button
            type="submit"
            class="small danger"
            aria-label={`Sign out ${attribute(device)}, since ${created_at.toISOString()}`}
          >
            Sign out
          </button>
        </Form>
      )}
    </li>
  )
}

const endOne = action('/account/sessions/:id/end', 'viewer', {
  form: NoFields,
  async handle(visit) {
    const { deps, signedIn, params } = visit
    const ended = await endSession(deps.sql, signedIn.account.id, params['id'] ?? '')
    await recordAuditFor(visit, 'session_ended', deviceOf(ended.user_agent))
    const own = ended.id === signedIn.sessionId
    return redirect(visit, own ? '/login' : '/account', success('That browser is signed out.'))
  },
})

const endOthers = action('/account/sessions/end-others', 'viewer', {
  form: NoFields,
  async handle(visit) {
    const { deps, signedIn } = visit
    await endOtherSessions(deps.sql, signedIn.account.id, signedIn.sessionId)
    await recordAuditFor(visit, 'signed_out_elsewhere')
    return redirect(visit, '/account', success('You are signed out in all other browsers.'))
  },
})

/** How people end their sessions in other browsers. */
export const accountSessionRoutes: readonly Route[] = [endOne, endOthers]
