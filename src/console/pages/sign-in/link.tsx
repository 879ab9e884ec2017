import { Elysia } from 'elysia'
import { Form } from '../../components/form/form.tsx'
import { bareLayout } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import { clientOf } from '../../http/client.ts'
import type { ConsoleDeps, ConsoleRequest } from '../../http/context.ts'
import { onceSignedOut } from '../../http/forms/once-signed-out.ts'
import { redirect } from '../../http/responses.ts'

const tokenOf = ({ params }: ConsoleRequest) => params['token'] ?? ''

// A form: programs that preview links would use up the link.
async function show(context: ConsoleRequest): Promise<Response> {
  const { t } = context
  return await bareLayout(
    context,
    { title: t('common.sign_in') },
    <>
      <h1>{t('common.sign_in')}</h1>
      <p class="lead">{t('login.this_link_signs')}</p>
      <Form context={context} action={`/login/link/${encodeURIComponent(tokenOf(context))}`}>
        <button type="submit" class="button primary full-width">
          {t('common.sign_in')}
        </button>
      </Form>
    </>,
  )
}

async function signIn(context: ConsoleRequest): Promise<Response> {
  const { sessions } = context.deps
  const cookies = await sessions.signInWithToken(clientOf(context), tokenOf(context))
  return redirect(context, '/home', { cookies })
}

/** Routes of the link with which an operator lets a member sign in. */
export const signInLinkPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/login/link/:token', show, { public: true })
    .post('/login/link/:token', onceSignedOut(signIn), { public: true })
