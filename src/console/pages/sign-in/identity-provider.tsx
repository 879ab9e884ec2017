import { Elysia } from 'elysia'
import { consumeSignInStart } from '../../../features/login-throttle/index.ts'
import { getInvitation } from '../../../features/members/index.ts'
import { SignInRefusedError } from '../../../features/sessions/index.ts'
import { AppError } from '../../../lib/errors.ts'
import { attribute } from '../../attribute.ts'
import { access } from '../../http/access.ts'
import { clientOf } from '../../http/client.ts'
import type { ConsoleDeps, ConsoleRequest } from '../../http/context.ts'
import { safePath } from '../../http/origin.ts'
import { failure, redirect } from '../../http/responses.ts'
import { findStartedSession } from '../../http/sign-in/session.ts'
import { withNext } from '../second-factor/sign-in.tsx'
import { openJoinedTeam } from './joined-team.ts'

/** A button for every identity provider; nothing when none is configured. */
export function ProviderButtons({
  context,
  next,
  label = 'login.sign_in_with_provider',
  newTab = false,
}: {
  context: ConsoleRequest
  /** The path to open afterwards. */
  next: string | null
  label?: 'login.sign_in_with_provider' | 'join.join_with'
  newTab?: boolean
}) {
  const { t } = context
  const { identityProviders } = context.deps.sessions
  if (identityProviders.length === 0) return ''
  return (
    <div class="provider-buttons">
      {identityProviders.map(({ id, name }) => (
        <a
          class="button"
          href={attribute(withNext(`/login/oidc/${id}`, next))}
          target={newTab ? '_blank' : undefined}
          safe
        >
          {t(label, { name })}
        </a>
      ))}
    </div>
  )
}

const providerOf = ({ params }: ConsoleRequest) => params['provider'] ?? ''

async function start(context: ConsoleRequest): Promise<Response> {
  const { deps, address, url } = context
  await consumeSignInStart(deps, { method: 'identity provider', address })
  const next = safePath(url.searchParams.get('next'))
  try {
    const started = await deps.sessions.startProviderSignIn(clientOf(context), {
      providerId: providerOf(context),
      next,
    })
    return redirect(context, started.url, { cookies: started.cookies })
  } catch (error) {
    return refused(context, error)
  }
}

async function complete(context: ConsoleRequest): Promise<Response> {
  const { deps, url } = context
  const { code, state, iss, error } = Object.fromEntries(url.searchParams)
  try {
    const { next, cookies } = await deps.sessions.completeProviderSignIn(clientOf(context), {
      providerId: providerOf(context),
      query: { code, state, iss, error },
    })
    return await openAfterSignIn(context, safePath(next), cookies)
  } catch (error) {
    return refused(context, error)
  }
}

/** The page of an invitation that the sign-in has accepted does not exist any more: its team is opened. */
async function openAfterSignIn(
  context: ConsoleRequest,
  path: string,
  cookies: readonly string[],
): Promise<Response> {
  const [, token, teamId = ''] = /^\/join\/([^/?]+)(?:\?team=(\w+))?$/.exec(path) ?? []
  if (token === undefined || (await isOpenInvitation(context, token))) {
    return redirect(context, path, { cookies })
  }
  const signedIn = await findStartedSession(context, cookies)
  return await openJoinedTeam(context, { signedIn, teamId, cookies })
}

async function isOpenInvitation({ deps }: ConsoleRequest, token: string): Promise<boolean> {
  try {
    await getInvitation(deps, token)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false
    throw error
  }
}

// A redirect, because the address of a callback works once and is of no use in the history.
function refused(context: ConsoleRequest, error: unknown): Response {
  if (!(error instanceof SignInRefusedError)) throw error
  return redirect(context, '/login', failure(error.message))
}

/** Routes of the sign-in with an identity provider. */
export const identityProviderPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/login/oidc/:provider', start, { public: true })
    .get('/login/oidc/:provider/callback', complete, { public: true })
