import { Elysia } from 'elysia'
import * as v from 'valibot'
import { singleLineText } from '../../../contract/text.ts'
import { listSecondFactors, removePasskey } from '../../../features/sessions/index.ts'
import { notFound } from '../../../lib/errors.ts'
import { attribute } from '../../attribute.ts'
import { deviceName } from '../../components/device-name.ts'
import { ErrorSummary, Field } from '../../components/form/form.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { PasskeyForm } from '../../components/members/passkey-form.tsx'
import { access } from '../../http/access.ts'
import { clientOf } from '../../http/client.ts'
import {
  accountContext,
  type ConsoleDeps,
  type FormRequest,
  type MemberRequest,
  type SubmittedForm,
} from '../../http/context.ts'
import { redirect, success, withCookies } from '../../http/responses.ts'
import { showBackupCodes } from './backup-codes.tsx'
import { confirmPassword, PasswordEntry, passwordPage } from './confirm-password.tsx'
import { secondFactorPath } from './overview.tsx'

const path = '/account/passkeys'

const ask = (context: MemberRequest, submitted?: SubmittedForm) =>
  passwordPage({
    context,
    submitted,
    action: `${path}/new`,
    label: context.t('common.continue'),
    title: context.t('second_factor.add_a_passkey'),
    lead: context.t('second_factor.your_device_or_your_password'),
    children: (
      <>
        <ErrorSummary submitted={submitted} exceptFields={['name', 'password']} />
        <Field
          name="name"
          label={context.t('common.name')}
          hint={context.t('second_factor.so_that_you_recognize')}
          value={deviceName(context.t, clientOf(context).userAgent)}
          required
          maxlength={100}
          submitted={submitted}
        />
      </>
    ),
  })

const StartForm = v.object({ name: singleLineText(100), ...PasswordEntry })

async function start(context: FormRequest<typeof StartForm>): Promise<Response> {
  const { deps, body, t } = context
  const { sessions } = deps
  const client = clientOf(context)
  await confirmPassword(context, body)
  const { options, cookies } = await sessions.startPasskey(client, body.password)
  const response = await layout(
    context,
    { title: t('second_factor.create_the_passkey'), section: 'account', scripts: ['passkeys.js'] },
    <div class="narrow">
      <PageHeader
        title={t('second_factor.create_the_passkey')}
        lead={t('second_factor.your_browser_asks_where')}
      />
      <PasskeyForm
        context={context}
        action={path}
        kind="create"
        options={options}
        label={t('second_factor.create_the_passkey')}
      >
        <input type="hidden" name="name" value={attribute(body.name)} />
      </PasskeyForm>
      <p>
        <a class="button full-width" href={secondFactorPath}>
          {t('common.cancel')}
        </a>
      </p>
    </div>,
  )
  return withCookies(response, cookies)
}

const AddForm = v.object({ name: singleLineText(100), response: v.string() })

async function add(context: FormRequest<typeof AddForm>): Promise<Response> {
  const { deps, signedIn, body, t } = context
  const { backupCodes } = await deps.sessions.addPasskey(
    clientOf(context),
    signedIn.account.id,
    body,
  )
  if (backupCodes) return await showBackupCodes(context, backupCodes)
  return redirect(context, secondFactorPath, success(t('second_factor.the_passkey_is_added')))
}

async function askRemove(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t } = context
  const id = context.params['id'] ?? ''
  const { passkeys } = await listSecondFactors(context.deps, context.signedIn.account.id)
  const passkey = passkeys.find((one) => one.id === id)
  if (!passkey) throw notFound('This passkey')
  return await passwordPage({
    context,
    submitted,
    action: `${path}/${id}/remove`,
    danger: true,
    title: t('second_factor.confirm_remove_the_passkey', { name: passkey.name ?? '' }),
    label: t('second_factor.remove_the_passkey'),
    lead: t('second_factor.nobody_can_sign'),
  })
}

const RemoveForm = v.object(PasswordEntry)

async function remove(context: FormRequest<typeof RemoveForm>): Promise<Response> {
  const { t } = context
  await confirmPassword(context, context.body)
  await removePasskey(accountContext(context), context.params['id'] ?? '')
  return redirect(context, secondFactorPath, success(t('second_factor.the_passkey_is_removed')))
}

/** Routes to add and to remove passkeys. */
export const passkeyPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get(`${path}/new`, (context) => ask(context), { role: 'viewer' })
    .post(`${path}/new`, start, { role: 'viewer', body: StartForm, renderWithErrors: ask })
    .post(path, add, { role: 'viewer', body: AddForm, renderWithErrors: ask })
    .get(`${path}/:id/remove`, (context) => askRemove(context), { role: 'viewer' })
    .post(`${path}/:id/remove`, remove, {
      role: 'viewer',
      body: RemoveForm,
      renderWithErrors: askRemove,
    })
