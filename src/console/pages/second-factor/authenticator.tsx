import { Elysia } from 'elysia'
import { renderSVG } from 'uqr'
import * as v from 'valibot'
import { listSecondFactors, removeAuthenticator } from '../../../features/sessions/index.ts'
import { CopyField } from '../../components/form/copy-field.tsx'
import { Field, Form } from '../../components/form/form.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import { clientOf } from '../../http/client.ts'
import {
  accountContext,
  type ConsoleDeps,
  type FormRequest,
  type MemberRequest,
  type SubmittedForm,
} from '../../http/context.ts'
import { redirect, success } from '../../http/responses.ts'
import { showBackupCodes } from './backup-codes.tsx'
import {
  confirmPassword,
  PasswordEntry,
  passwordPage,
  SubmitRow,
  withPasswordAttempt,
} from './confirm-password.tsx'
import { secondFactorPath } from './overview.tsx'

const path = `${secondFactorPath}/authenticator`

const subject = 'authenticator'
const keySeconds = 15 * 60

const ask = (context: MemberRequest, submitted?: SubmittedForm) =>
  passwordPage({
    context,
    submitted,
    action: path,
    label: context.t('common.continue'),
    title: context.t('second_factor.set_up_an_authenticator_app'),
    lead: context.t('second_factor.you_need_an_app_such'),
  })

const PasswordForm = v.object(PasswordEntry)

async function start(context: FormRequest<typeof PasswordForm>): Promise<Response> {
  const { deps, signedIn, body } = context
  const { hasAuthenticator } = await listSecondFactors(deps, signedIn.account.id)
  // Its key would be replaced by one that nobody has seen.
  if (hasAuthenticator) return redirect(context, secondFactorPath)
  await withPasswordAttempt(context, () =>
    deps.sessions.startAuthenticator(clientOf(context), signedIn.account.id, body.password),
  )
  const started = deps.oneTimeCookie.set(signedIn.sessionId, subject, 'started', keySeconds)
  return redirect(context, `${path}/confirm`, { cookies: [started] })
}

/** Whether the password was entered in this session in the last 15 minutes: a session alone does not show the key. */
const hasStarted = (context: MemberRequest): boolean =>
  context.deps.oneTimeCookie.consume(
    clientOf(context).cookie,
    context.signedIn.sessionId,
    subject,
  ) !== null

async function confirmPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const { deps, signedIn, t } = context
  if (!hasStarted(context)) return redirect(context, path)
  const pending = await deps.sessions.findPendingAuthenticator(signedIn.account)
  if (!pending) return redirect(context, secondFactorPath)
  // Sound: the library draws it from the address, which has no characters of HTML.
  const qrCode = renderSVG(pending.uri, { border: 2 })
  return await layout(
    context,
    { title: t('second_factor.scan_the_qr_code'), section: 'account' },
    <div class="narrow">
      <PageHeader
        title={t('second_factor.scan_the_qr_code')}
        lead={t('second_factor.scan_it_with_your_authenticator')}
      />
      <div class="qr-code" role="img" aria-label={t('second_factor.qr_code_with_the_key')}>
        {qrCode as 'safe'}
      </div>
      <details>
        <summary>{t('second_factor.you_cannot_scan_it')}</summary>
        <p>{t('second_factor.type_this_key_into')}</p>
        <CopyField t={t} id="key" label={t('second_factor.key')} value={groupsOf(pending.key)} />
      </details>
      <Form context={context} action={`${path}/confirm`}>
        <Field
          name="code"
          label={t('second_factor.code')}
          hint={t('second_factor.six_digits_of_the_app')}
          autocomplete="one-time-code"
          required
          maxlength={10}
          submitted={submitted}
        />
        <SubmitRow t={t} label={t('second_factor.turn_on')} />
      </Form>
    </div>,
  )
}

/** Four characters at a time, as people type them. */
const groupsOf = (key: string) => key.match(/.{1,4}/g)?.join(' ') ?? ''

const CodeForm = v.object({ code: v.pipe(v.string(), v.nonEmpty('is required')) })

async function confirm(context: FormRequest<typeof CodeForm>): Promise<Response> {
  const { deps, signedIn, body, t } = context
  if (!hasStarted(context)) return redirect(context, path)
  const { cookies, backupCodes } = await withPasswordAttempt(context, () =>
    deps.sessions.confirmAuthenticator(clientOf(context), signedIn.account.id, body.code),
  )
  if (backupCodes) return await showBackupCodes(context, backupCodes, cookies)
  return redirect(context, secondFactorPath, {
    ...success(t('second_factor.the_authenticator_app_is_set_up')),
    cookies,
  })
}

const askRemove = (context: MemberRequest, submitted?: SubmittedForm) =>
  passwordPage({
    context,
    submitted,
    action: `${path}/remove`,
    label: context.t('second_factor.remove_the_app'),
    danger: true,
    title: context.t('second_factor.remove_the_authenticator_app'),
    lead: context.t('second_factor.its_codes_stop_working'),
  })

async function remove(context: FormRequest<typeof PasswordForm>): Promise<Response> {
  const { t } = context
  await confirmPassword(context, context.body)
  await removeAuthenticator(accountContext(context))
  return redirect(
    context,
    secondFactorPath,
    success(t('second_factor.the_authenticator_app_is_removed')),
  )
}

/** Routes to set up and to remove an authenticator app. */
export const authenticatorPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get(path, (context) => ask(context), { role: 'viewer' })
    .post(path, start, { role: 'viewer', body: PasswordForm, renderWithErrors: ask })
    .get(`${path}/confirm`, (context) => confirmPage(context), { role: 'viewer' })
    .post(`${path}/confirm`, confirm, {
      role: 'viewer',
      body: CodeForm,
      renderWithErrors: confirmPage,
    })
    .get(`${path}/remove`, (context) => askRemove(context), { role: 'viewer' })
    .post(`${path}/remove`, remove, {
      role: 'viewer',
      body: PasswordForm,
      renderWithErrors: askRemove,
    })
