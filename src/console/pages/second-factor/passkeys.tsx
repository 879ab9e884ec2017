import { Elysia } from 'elysia'
import * as v from 'valibot'
import { singleLineText } from '../../../contract/text.ts'
import { listSecondFactors, removePasskey } from '../../../features/sessions/index.ts'
import { notFound } from '../../../lib/errors.ts'
import { attribute } from '../../attribute.ts'
import { deviceName } from '../../components/device.ts'
import { ErrorSummary, Field } from '../../components/form/form.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { PasskeyForm } from '../../components/passkey-form.tsx'
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
import { confirmPassword, PasswordEntry, passwordPage } from './confirm-password.tsx'
import { secondFactorPath } from './overview.tsx'

const path = '/account/passkeys'

const ask = (context: MemberRequest, submitted?: SubmittedForm) =>
  passwordPage({
    ...{ context, submitted, action: `${path}/new`, label: 'Continue' },
    title: 'Add a passkey',
    lead: 'Your device or your password manager stores it. You sign in with your fingerprint, your face or a PIN.',
    children: (
      <>
        <ErrorSummary submitted={submitted} exceptFields={['name', 'password']} />
        <Field
          name="name"
          label="Name"
          hint="So that you recognize it later."
          value={deviceName(clientOf(context).userAgent)}
          required
          maxlength={100}
          submitted={submitted}
        />
      </>
    ),
  })

const StartForm = v.object({ name: singleLineText(100), ...PasswordEntry })

async function start(context: FormRequest<typeof StartForm>): Promise<Response> {
  const { deps, body } = context
  const { sessions } = deps
  const client = clientOf(context)
  await confirmPassword(context, body)
  const { options, cookies } = await sessions.startPasskey(client, body.password)
  const response = await layout(
    context,
    { title: 'Create the passkey', section: 'account', scripts: ['passkeys.js'] },
    <div class="narrow">
      <PageHeader title="Create the passkey" lead="Your browser asks where to store it." />
      <PasskeyForm
        context={context}
        action={path}
        kind="create"
        options={options}
        label="Create the passkey"
      >
        <input type="hidden" name="name" value={attribute(body.name)} />
      </PasskeyForm>
      <p>
        <a class="button full-width" href={secondFactorPath}>
          Cancel
        </a>
      </p>
    </div>,
  )
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

const AddForm = v.object({ name: singleLineText(100), response: v.string() })

async function add(context: FormRequest<typeof AddForm>): Promise<Response> {
  const { deps, signedIn, body } = context
  const { backupCodes } = await deps.sessions.addPasskey(
    clientOf(context),
    signedIn.account.id,
    body,
  )
  if (backupCodes) return await showBackupCodes(context, backupCodes)
  return redirect(context, secondFactorPath, success('The passkey is added.'))
}

async function askRemove(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const id = context.params['id'] ?? ''
  const { passkeys } = await listSecondFactors(context.deps, context.signedIn.account.id)
  const passkey = passkeys.find((one) => one.id === id)
  if (!passkey) throw notFound('This passkey')
  return await passwordPage({
    ...{ context, submitted, action: `${path}/${id}/remove`, danger: true },
    ...{ title: `Remove the passkey ${passkey.name ?? ''}?`, label: 'Remove the passkey' },
    lead: 'Nobody can sign in with it any more.',
  })
}

const RemoveForm = v.object(PasswordEntry)

async function remove(context: FormRequest<typeof RemoveForm>): Promise<Response> {
  await confirmPassword(context, context.body)
  await removePasskey(accountContext(context), context.params['id'] ?? '')
  return redirect(context, secondFactorPath, success('The passkey is removed.'))
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
