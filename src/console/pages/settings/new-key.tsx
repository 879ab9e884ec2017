import { Elysia } from 'elysia'
import * as v from 'valibot'
import { singleLineText } from '../../../contract/text.ts'
import { type Scope, scopes } from '../../../contract/vocabulary.ts'
import { createLimitedKey, parseExpiry } from '../../../features/api-keys/index.ts'
import { invalidField } from '../../../lib/errors.ts'
import { Checkbox, errorOf, Field, Form } from '../../components/form/form.tsx'
import { FieldErrorMessage } from '../../components/form/labeled-field.tsx'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest, SubmittedForm } from '../../http/context.ts'
import { checkbox } from '../../http/form-data.ts'
import { showKeyOnce } from './key-value.tsx'
import { scopeLabels } from './keys.tsx'

const scopeHints = {
  read: 'See newsletters, content, templates and events.',
  write: 'Add and change content and newsletters.',
  send_preview: 'Email a newsletter to members of the team.',
} as const satisfies Record<Scope, string>

const NewKeyForm = v.object({
  name: singleLineText(100),
  'scopes[]': v.optional(v.array(v.picklist(scopes)), []),
  ingest_only: checkbox,
  drafts_only: checkbox,
  expires: v.optional(v.string(), ''),
})

async function newKeyPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const scopesError = errorOf(submitted, 'scopes')
  return await settingsLayout(
    context,
    { tab: '/settings/keys', title: 'New API key' },
    <Form context={context} action="/settings/keys" class="narrow">
      <Field
        name="name"
        label="Name"
        hint="The program that will use it, such as “Release script”."
        required
        maxlength={100}
        submitted={submitted}
      />
      <fieldset aria-describedby={scopesError ? 'scopes-error' : undefined}>
        <legend>Scopes</legend>
        {scopes.map((scope) => (
          <Checkbox
            name="scopes[]"
            value={scope}
            label={scopeLabels[scope]}
            hint={scopeHints[scope]}
            checked={scope === 'write'}
            submitted={submitted}
          />
        ))}
        <FieldErrorMessage name="scopes" error={scopesError} />
      </fieldset>
      <fieldset>
        <legend>Restrictions</legend>
        <Checkbox
          name="ingest_only"
          label="Ingest webhook only"
          hint="Can only add content. Requires the scope Write and no other."
          submitted={submitted}
        />
        <Checkbox
          name="drafts_only"
          label="Drafts only"
          hint="Everything it adds is a draft that a person has to approve."
          submitted={submitted}
        />
      </fieldset>
      <Field
        name="expires"
        label="Last valid day"
        hint="If empty, the key works until it is revoked."
        type="date"
        submitted={submitted}
      />
      <button type="submit" class="primary">
        Create the key
      </button>
    </Form>,
  )
}

async function create(context: FormRequest<typeof NewKeyForm>): Promise<Response> {
  const { name, ingest_only, drafts_only, expires, 'scopes[]': granted } = context.body
  const { ctx } = context
  if (granted.length === 0) throw invalidField('/scopes', 'choose at least one scope')
  const made = await createLimitedKey(ctx, {
    name,
    scopes: scopes.filter((scope) => granted.includes(scope)),
    ingest_only,
    allow_auto_ready: !drafts_only,
    expires_at: expires === '' ? null : parseExpiry(expires, ctx.now),
    provider: null,
  })
  return showKeyOnce(context, made)
}

/** Routes that create a key. */
export const newKeyPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/settings/keys/new', (context) => newKeyPage(context), { role: 'admin' })
    .post('/settings/keys', create, {
      role: 'admin',
      body: NewKeyForm,
      renderWithErrors: newKeyPage,
    })
