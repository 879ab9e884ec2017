import { Elysia } from 'elysia'
import type { Newsletter } from '../../../contract/newsletter.ts'
import { PreviewRequest } from '../../../contract/preview.ts'
import { listMembers, type Member } from '../../../features/members/index.ts'
import { getNewsletter } from '../../../features/newsletters/index.ts'
import { emailsPerDay, sendPreview } from '../../../features/previews/index.ts'
import { transaction } from '../../../lib/db.ts'
import { AppError } from '../../../lib/errors.ts'
import { parseInput } from '../../../lib/parse.ts'
import { Checkbox, ErrorSummary, errorOf, FieldErrorMessage, Form } from '../../components/form.tsx'
import { layout } from '../../components/screen.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest, SubmittedForm } from '../../http/context.ts'
import { listOf, textOf } from '../../http/form-data.ts'
import { redirect, success } from '../../http/responses.ts'
import { pluralize } from '../../pluralize.ts'
import { NewsletterHead } from './head.tsx'

async function previewScreen(context: MemberRequest, entry?: SubmittedForm): Promise<Response> {
  const { sql } = context.deps
  const [{ newsletter }, members] = await Promise.all([
    getNewsletter(sql, context.teamId, context.params['id'] ?? ''),
    listMembers(sql, context.teamId),
  ])
  return await layout(
    context,
    { title: `Send a preview: ${newsletter.title}`, section: 'newsletters' },
    <>
      <NewsletterHead context={context} newsletter={newsletter} at="preview" />
      <PreviewForm {...{ context, newsletter, members, entry }} />
    </>,
  )
}

interface PreviewFormProps {
  context: MemberRequest
  newsletter: Newsletter
  members: readonly Member[]
  entry: SubmittedForm | undefined
}

function PreviewForm({ context, newsletter, members, entry }: PreviewFormProps) {
  const fault = errorOf(entry, 'note')
  const note = entry ? textOf(entry.values, 'note') : ''
  return (
    <Form context={context} action={`/newsletters/${newsletter.id}/preview`} class="narrow" draft>
      <p class="quiet">
        {`The newsletter as it is now is sent to the members you select, with “[Preview]” in its subject. A team may send ${emailsPerDay} previews a day.`}
      </p>
      {context.deps.mail ? null : (
        <p class="notice">
          Email is not configured. Previews are captured instead of sent: admins of the team can
          read them under Settings, Captured emails.
        </p>
      )}
      <ErrorSummary entry={entry} but={['note']} />
      <fieldset>
        <legend>To</legend>
        {members.map(({ id, name, email }) => (
          <Checkbox
            name="recipients[]"
            value={email}
            label={id === context.member.id ? `${name} (you)` : name}
            hint={email}
            checked={id === context.member.id}
            entry={entry}
          />
        ))}
      </fieldset>
      <div class="field">
        <label for="note">Note</label>
        <p class="hint" id="note-hint">
          Shown at the top of the email.
        </p>
        <textarea
          id="note"
          name="note"
          rows="3"
          aria-describedby={fault ? 'note-hint note-fault' : 'note-hint'}
          aria-invalid={fault ? 'true' : undefined}
          safe
        >
          {note}
        </textarea>
        <FieldErrorMessage name="note" fault={fault} />
      </div>
      <button type="submit" class="primary">
        Send the preview
      </button>
    </Form>
  )
}

async function send(context: MemberRequest): Promise<Response> {
  const { sql, now } = context.deps
  const id = context.params['id'] ?? ''
  await getNewsletter(sql, context.teamId, id)
  const recipients = listOf(context.values, 'recipients[]')
  const note = textOf(context.values, 'note')
  const request = parseInput(PreviewRequest, {
    ...(recipients.length > 0 && { recipients }),
    ...(note.trim() !== '' && { note }),
  })
  const sender = { teamId: context.teamId, memberId: context.member.id }
  const receipt = await transaction(sql, (tx) => sendPreview(tx, now, sender, id, request)).catch(
    asFault,
  )
  const people = pluralize(receipt.recipients.length, 'person').replace('persons', 'people')
  const said = context.deps.mail
    ? `The preview is being sent to ${people}.`
    : `The preview for ${people} is captured instead of sent: email is not configured.`
  return redirect(context, `/newsletters/${id}`, success(said))
}

/** The day's limit is told on the form, like any other fault of it. */
function asFault(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'preview_limit_reached') throw error
  const fields = [
    { pointer: '/recipients', code: error.code, message: error.message.replace(/\.$/, '') },
  ]
  throw new AppError('validation_failed', error.message, { fields })
}

/** How members get to see an issue before it goes out. */
export const sendPreviewPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/newsletters/:id/preview', (context) => previewScreen(context), { role: 'editor' })
    .post('/newsletters/:id/preview', send, { role: 'editor', renderWithErrors: previewScreen })
