import { Elysia } from 'elysia'
import * as v from 'valibot'
import { singleLineText } from '../../../../contract/text.ts'
import { type Scope, scopes } from '../../../../contract/vocabulary.ts'
import { createLimitedKey, parseExpiry } from '../../../../features/api-keys/index.ts'
import { invalidField } from '../../../../lib/errors.ts'
import { Checkbox, Field, Form, fieldErrorOf } from '../../../components/form/form.tsx'
import { FormButtons } from '../../../components/form/form-buttons.tsx'
import { FieldErrorMessage } from '../../../components/form/labeled-field.tsx'
import { settingsLayout } from '../../../components/layout/settings-layout.tsx'
import { access } from '../../../http/access.ts'
import type {
  ConsoleDeps,
  FormRequest,
  MemberRequest,
  SubmittedForm,
} from '../../../http/context.ts'
import { checkbox } from '../../../http/forms/form-data.ts'
import { once } from '../../../http/forms/once.ts'
import type { TextKey } from '../../../locales/index.ts'
import { showKeyOnce } from './key-value.tsx'
import { scopeLabels } from './scopes.tsx'

const scopeHints = {
  read: 'keys.see_newsletters_content_templates',
  write: 'keys.add_and_change_content',
  send_preview: 'keys.email_a_newsletter_to_members',
} as const satisfies Record<Scope, TextKey>

const NewKeyForm = v.object({
  name: singleLineText(100),
  'scopes[]': v.optional(v.array(v.picklist(scopes)), []),
  ingest_only: checkbox,
  drafts_only: checkbox,
  expires: v.optional(v.string(), ''),
})

async function newKeyPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t } = context
  const scopesError = fieldErrorOf(submitted, 'scopes')
  return await settingsLayout(
    context,
    { tab: '/settings/keys', title: t('keys.new_api_key') },
    <Form context={context} action="/settings/keys" class="narrow" draft>
      <Field
        name="name"
        label={t('common.name')}
        hint={t('keys.the_program_that_will_use')}
        required
        maxlength={100}
        submitted={submitted}
      />
      <fieldset aria-describedby={scopesError ? 'scopes-error' : undefined}>
        <legend>{t('keys.scopes')}</legend>
        {scopes.map((scope) => (
          <Checkbox
            name="scopes[]"
            value={scope}
            label={t(scopeLabels[scope])}
            hint={t(scopeHints[scope])}
            checked={scope === 'write'}
            submitted={submitted}
          />
        ))}
        <FieldErrorMessage name="scopes" error={scopesError} />
      </fieldset>
      <fieldset>
        <legend>{t('keys.restrictions')}</legend>
        <Checkbox
          name="ingest_only"
          label={t('keys.ingest_webhook_only')}
          hint={t('keys.can_only_add_content_requires')}
          submitted={submitted}
        />
        <Checkbox
          name="drafts_only"
          label={t('keys.drafts_only')}
          hint={t('keys.everything_it_adds')}
          submitted={submitted}
        />
      </fieldset>
      <Field
        name="expires"
        label={t('keys.last_valid_day')}
        hint={t('keys.if_empty_the_key_works')}
        type="date"
        submitted={submitted}
      />
      <FormButtons t={t} label={t('keys.create_the_key')} cancelPath="/settings/keys" />
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
    .post('/settings/keys', once(create), {
      role: 'admin',
      body: NewKeyForm,
      renderWithErrors: newKeyPage,
    })
