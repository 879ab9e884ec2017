import type { Newsletter } from '../../../contract/newsletter.ts'
import { PreviewRequest } from '../../../contract/preview.ts'
import { listMembers, type Member } from '../../../features/members/index.ts'
import { getNewsletter } from '../../../features/newsletters/index.ts'
import { emailsPerDay, sendPreview } from '../../../features/previews/index.ts'
import { withDeadline } from '../../../lib/db.ts'
import { AppError } from '../../../lib/errors.ts'
import { parseInput } from '../../../lib/parse.ts'
import { Checkbox, ErrorSummary, errorOf, FieldErrorMessage, Form } from '../../components/form.tsx'
import { layout } from '../../components/screen.tsx'
import { listOf, textOf } from '../../form-data.ts'
import {
  action,
  type MemberRequest,
  NoFields,
  page,
  type Route,
  type SubmittedForm,
} from '../../page.ts'
import { pluralize } from '../../pluralize.ts'
import { redirect, success } from '../../responses.ts'
import { NewsletterHead } from './head.tsx'

const show = page('/newsletters/:id/preview', 'editor', (visit) => previewScreen(visit))

async function previewScreen(visit: MemberRequest, entry?: SubmittedForm): Promise<Response> {
  const { sql } = visit.deps
  const [{ newsletter }, members] = await Promise.all([
    getNewsletter(sql, visit.teamId, visit.params['id'] ?? ''),
    listMembers(sql, visit.teamId),
  ])
  return await layout(
    visit,
    { title: `Send a preview: ${newsletter.title}`, section: 'newsletters' },
    <>
      <NewsletterHead visit={visit} newsletter={newsletter} at="preview" />
      <PreviewForm {...{ visit, newsletter, members, entry }} />
    </>,
  )
}

interface PreviewFormProps {
  visit: MemberRequest
  newsletter: Newsletter
  members: readonly Member[]
  entry: SubmittedForm | undefined
}

function PreviewForm({ visit, newsletter, members, entry }: PreviewFormProps) {
  const fault = errorOf(entry, 'note')
  const note = entry ? textOf(entry.values, 'note') : ''
  return (
    <Form visit={visit} action={`/newsletters/${newsletter.id}/preview`} class="narrow">
      <p class="quiet">
        {`The issue as it is now goes to the members you choose, with “[Preview]” in its subject. A team may send ${emailsPerDay} previews a day.`}
      </p>
      {visit.deps.mail ? null : (
        <p class="notice">
          Mail is not set up. What you send is kept in the Outbox, where admins of the team can read
          it.
        </p>
      )}
      <ErrorSummary entry={entry} but={['note']} />
      <fieldset>
        <legend>To</legend>
        {members.map(({ id, name, email }) => (
          <Checkbox
            name="recipients[]"
            value={email}
            label={id === visit.member.id ? `${name} (you)` : name}
            hint={email}
            checked={id === visit.member.id}
            entry={entry}
          />
        ))}
      </fieldset>
      <div class="field">
        <label for="note">Note</label>
        <p class="hint" id="note-hint">
          Stands on top of the mail.
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

const send = action('/newsletters/:id/preview', 'editor', {
  form: NoFields,
  renderWithErrors: previewScreen,
  async handle(visit) {
    const { sql, now } = visit.deps
    const id = visit.params['id'] ?? ''
    await getNewsletter(sql, visit.teamId, id)
    const recipients = listOf(visit.values, 'recipients[]')
    const note = textOf(visit.values, 'note')
    const request = parseInput(PreviewRequest, {
      ...(recipients.length > 0 && { recipients }),
      ...(note.trim() !== '' && { note }),
    })
    const sender = { teamId: visit.teamId, memberId: visit.member.id }
    const receipt = await withDeadline(
      sql.begin((tx) => sendPreview(tx, now, sender, id, request)),
    ).catch(asFault)
    const people = pluralize(receipt.recipients.length, 'person').replace('persons', 'people')
    const said = visit.deps.mail
      ? `The preview is on its way to ${people}.`
      : `The preview for ${people} goes to the Outbox, since mail is not set up.`
    return redirect(visit, `/newsletters/${id}`, success(said))
  },
})

/** The day's limit is told on the form, like any other fault of it. */
function asFault(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'preview_limit_reached') throw error
  const fields = [
    { pointer: '/recipients', code: error.code, message: error.message.replace(/\.$/, '') },
  ]
  throw new AppError('validation_failed', error.message, { fields })
}

/** How members get to see an issue before it goes out. */
export const sendPreviewRoutes: readonly Route[] = [show, send]
