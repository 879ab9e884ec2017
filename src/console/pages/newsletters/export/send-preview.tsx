import { Elysia } from 'elysia'
import type { Newsletter } from '../../../../contract/newsletters/newsletter.ts'
import { PreviewRequest } from '../../../../contract/newsletters/preview.ts'
import { listMembersByName, type Member } from '../../../../features/members/index.ts'
import { getNewsletter } from '../../../../features/newsletters/index.ts'
import { emailsPerDay, listUndelivered, sendPreview } from '../../../../features/previews/index.ts'
import { AppError } from '../../../../lib/errors.ts'
import { parseInput } from '../../../../lib/parse.ts'
import {
  Checkbox,
  ErrorSummary,
  Field,
  Form,
  fieldErrorOf,
} from '../../../components/form/form.tsx'
import { FieldErrorMessage } from '../../../components/form/labeled-field.tsx'
import { layout } from '../../../components/layout/layout.tsx'
import { access } from '../../../http/access.ts'
import type { ConsoleDeps, MemberRequest, SubmittedForm } from '../../../http/context.ts'
import { listValuesOf, textOf } from '../../../http/forms/form-data.ts'
import { once } from '../../../http/forms/once.ts'
import { redirect, success } from '../../../http/responses.ts'
import { can } from '../../../roles.ts'
import { NewsletterHeader } from '../header.tsx'
import { PhonePreview } from './phone.tsx'
import { Undelivered } from './undelivered.tsx'

/** How many members can be chosen from the list; others by their address. */
const listedMembers = 50

async function sendPreviewPage(
  context: MemberRequest,
  submitted?: SubmittedForm,
): Promise<Response> {
  const { t } = context
  const id = context.params['id'] ?? ''
  const [newsletter, { members, hasMore }, undelivered] = await Promise.all([
    getNewsletter(context.ctx, id),
    listMembersByName(context.ctx, { limit: listedMembers }),
    listUndelivered(context.ctx, { newsletterIds: [id] }),
  ])
  return await layout(
    context,
    {
      title: t('newsletters.send_a_preview_of', { title: newsletter.title }),
      section: 'newsletters',
    },
    <>
      <NewsletterHeader context={context} newsletter={newsletter} page="preview" />
      {(<Undelivered context={context} emails={undelivered} />) as 'safe'}
      <div class="send-preview">
        <PhonePreview context={context} newsletter={newsletter} />
        <PreviewForm {...{ context, newsletter, members, hasMore, submitted }} />
      </div>
    </>,
  )
}

interface PreviewFormProps {
  context: MemberRequest
  newsletter: Newsletter
  members: readonly Member[]
  /** The team has other members, too. */
  hasMore: boolean
  submitted: SubmittedForm | undefined
}

function PreviewForm({ context, newsletter, members, hasMore, submitted }: PreviewFormProps) {
  const { t, member } = context
  const listed = members.some(({ id }) => id === member.id) ? members : [member, ...members]
  const error = fieldErrorOf(submitted, 'note')
  const note = submitted ? textOf(submitted.values, 'note') : ''
  return (
    <Form context={context} action={`/newsletters/${newsletter.id}/preview`} class="card" draft>
      <h2>{t('newsletters.by_email')}</h2>
      <p class="muted" safe>
        {t('newsletters.the_newsletter', { emailsPerDay })}
      </p>
      {context.deps.mail ? null : (
        <p class="notice">
          {t('newsletters.email_is_not_configured_previews')}{' '}
          {can(member.role, 'admin') ? (
            <a href="/settings/captured-emails">{t('captured_emails.captured_emails')}</a>
          ) : (
            ''
          )}
        </p>
      )}
      <ErrorSummary submitted={submitted} exceptFields={['note']} />
      <fieldset>
        <legend>{t('newsletters.to')}</legend>
        {listed.map(({ id, name, email }) => (
          <Checkbox
            name="recipients[]"
            value={email}
            label={id === member.id ? t('newsletters.you', { name }) : name}
            hint={email}
            checked={id === member.id}
            submitted={submitted}
          />
        ))}
      </fieldset>
      {hasMore ? (
        <Field
          name="recipient"
          label={t('newsletters.another_member')}
          hint={t('newsletters.listed_members', { listed: listedMembers })}
          type="email"
          submitted={submitted}
        />
      ) : null}
      <div class="field">
        <label for="note">{t('newsletters.note')}</label>
        <p class="hint" id="note-hint">
          {t('newsletters.shown_at_the_top_of_the_email')}
        </p>
        <textarea
          id="note"
          name="note"
          rows="3"
          aria-describedby={error ? 'note-hint note-error' : 'note-hint'}
          aria-invalid={error ? 'true' : undefined}
          safe
        >
          {note}
        </textarea>
        <FieldErrorMessage name="note" error={error} />
      </div>
      <button type="submit" class="primary">
        {t('newsletters.send_the_preview')}
      </button>
    </Form>
  )
}

async function send(context: MemberRequest): Promise<Response> {
  const { t } = context
  const id = context.params['id'] ?? ''
  await getNewsletter(context.ctx, id)
  const other = textOf(context.values, 'recipient').trim()
  const recipients = [
    ...listValuesOf(context.values, 'recipients[]'),
    ...(other === '' ? [] : [other]),
  ]
  const note = textOf(context.values, 'note')
  const request = parseInput(PreviewRequest, {
    ...(recipients.length > 0 && { recipients }),
    ...(note.trim() !== '' && { note }),
  })
  const ctx = { ...context.ctx, queue: context.deps.queue }
  const receipt = await sendPreview(ctx, { newsletterId: id, ...request }).catch(toFieldError)
  const people = t('newsletters.person', { count: receipt.recipients.length })
  const message = context.deps.mail
    ? t('newsletters.the_preview_is_being_sent', { people })
    : t('newsletters.the_preview_for_is_captured', { people })
  return redirect(context, `/newsletters/${id}`, success(message))
}

/** Shows the daily limit on the form, like a validation error. */
function toFieldError(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'preview_limit_reached') throw error
  const fields = [
    { pointer: '/recipients', code: error.code, message: error.message.replace(/\.$/, '') },
  ]
  throw new AppError('validation_failed', error.message, { fields })
}

/** Routes that send a preview. */
export const sendPreviewPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/newsletters/:id/preview', (context) => sendPreviewPage(context), { role: 'editor' })
    .post('/newsletters/:id/preview', once(send), {
      role: 'editor',
      renderWithErrors: sendPreviewPage,
    })
