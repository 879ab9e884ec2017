import { Elysia } from 'elysia'
import * as v from 'valibot'
import { CodeSnippet } from '../../components/form/copy-field.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import { clientOf } from '../../http/client.ts'
import type { ConsoleDeps, FormRequest, MemberRequest, SubmittedForm } from '../../http/context.ts'
import { redirect, withCookies } from '../../http/responses.ts'
import { PasswordEntry, passwordPage, withPasswordAttempt } from './confirm-password.tsx'
import { secondFactorPath } from './overview.tsx'

const path = `${secondFactorPath}/backup-codes`

const subject = 'backup-codes'

/** Shows new backup codes, once, on the next page. `cookies` are those of a new session, if any. */
export async function showBackupCodes(
  context: MemberRequest,
  codes: readonly string[],
  cookies: readonly string[] = [],
): Promise<Response> {
  const { deps } = context
  const sessionId = await sessionIdOf(context, cookies)
  const once = deps.oneTimeCookie.set(sessionId, subject, codes.join('\n'))
  return redirect(context, `${path}/new`, { cookies: [...cookies, once] })
}

/** The id of the session that the cookies start, or of the present one. */
async function sessionIdOf(context: MemberRequest, cookies: readonly string[]): Promise<string> {
  const { deps, signedIn } = context
  if (cookies.length === 0) return signedIn.sessionId
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ')
  const started = await deps.sessions.getSession({ ...clientOf(context), cookie })
  return started.signedIn?.sessionId ?? signedIn.sessionId
}

async function show(context: MemberRequest): Promise<Response> {
  const { deps, signedIn, t } = context
  const { cookie } = clientOf(context)
  const taken = deps.oneTimeCookie.consume(cookie, signedIn.sessionId, subject)
  if (!taken) return redirect(context, secondFactorPath)
  const response = await layout(
    context,
    { title: t('second_factor.your_backup_codes'), section: 'account' },
    <div class="narrow">
      <PageHeader
        title={t('second_factor.your_backup_codes')}
        lead={t('second_factor.your_second_factor_is_on')}
      />
      <p>{t('second_factor.save_these_codes')}</p>
      <CodeSnippet t={t} id="codes" label={t('second_factor.backup_codes')} text={taken.value} />
      <a class="button primary" href="/home">
        {t('second_factor.i_have_saved_them')}
      </a>
    </div>,
  )
  return withCookies(response, [taken.clear])
}

const ask = (context: MemberRequest, submitted?: SubmittedForm) =>
  passwordPage({
    context,
    submitted,
    action: path,
    label: context.t('second_factor.create_new_codes'),
    title: context.t('second_factor.create_new_backup_codes'),
    lead: context.t('second_factor.the_codes'),
  })

const PasswordForm = v.object(PasswordEntry)

async function create(context: FormRequest<typeof PasswordForm>): Promise<Response> {
  const { deps, signedIn, body } = context
  if (!signedIn.hasSecondFactor) return redirect(context, secondFactorPath)
  const codes = await withPasswordAttempt(context, () =>
    deps.sessions.createBackupCodes(clientOf(context), signedIn.account.id, body.password),
  )
  return await showBackupCodes(context, codes)
}

/** Routes of the backup codes. */
export const backupCodePages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get(`${path}/new`, show, { role: 'viewer' })
    .get(path, (context) => ask(context), { role: 'viewer' })
    .post(path, create, { role: 'viewer', body: PasswordForm, renderWithErrors: ask })
