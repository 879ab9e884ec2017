import type { Newsletter } from '../../../contract/newsletter.ts'
import type { Template } from '../../../contract/template.ts'
import { attribute } from '../../attribute.ts'
import { ErrorSummary, Field, Form, Select } from '../../components/form.tsx'
import type { MemberRequest, SubmittedForm } from '../../http/context.ts'
import { textOf } from '../../http/form-data.ts'

/** The fields of a newsletter that people type. */
export const detailFields = [
  ...(['title', 'subject_line', 'preheader_text', 'scheduled_date', 'template_slug'] as const),
]
export type DetailField = (typeof detailFields)[number]

/** Fields that somebody else changed while these were typed, and what they hold now. */
export type Conflicts = readonly { name: DetailField; now: string }[]

const labels: Record<DetailField, string> = {
  title: 'Title',
  subject_line: 'Subject',
  preheader_text: 'Preheader',
  scheduled_date: 'Date',
  template_slug: 'Template',
}

interface WordingProps {
  context: MemberRequest
  newsletter: Newsletter
  templates: readonly Template[]
  view: string
  entry?: SubmittedForm | undefined
  conflicts?: Conflicts
}

/** What the mail is called and how it is drawn. */
export function DetailsForm({
  context,
  newsletter,
  templates,
  view,
  entry,
  conflicts = [],
}: WordingProps) {
  const value = (name: DetailField) => newsletter[name] ?? ''
  const typed = (name: DetailField) => (entry ? textOf(entry.values, name) : value(name))
  return (
    <section id="wording" class="card" data-part aria-label="Subject and template">
      <Form context={context} action={`/newsletters/${newsletter.id}`}>
        <ConflictNotice conflicts={conflicts} />
        <ErrorSummary entry={entry} but={[...detailFields]} />
        <input type="hidden" name="view" value={attribute(view)} />
        {detailFields.map((name) => (
          <input type="hidden" name={`was_${name}`} value={attribute(value(name))} />
        ))}
        <Field
          name="subject_line"
          label="Subject"
          hint={lengthHint('Phones show about 40 characters.', typed('subject_line'))}
          value={value('subject_line')}
          maxlength={255}
          entry={entry}
        />
        <Field
          name="preheader_text"
          label="Preheader"
          hint={lengthHint(
            'Shown after the subject; 40 to 90 characters are good.',
            typed('preheader_text'),
          )}
          value={value('preheader_text')}
          maxlength={255}
          entry={entry}
        />
        <details id="more-wording" open={Boolean(entry)}>
          <summary>Title, date and template</summary>
          <Field
            name="title"
            label="Title"
            value={value('title')}
            required
            maxlength={255}
            entry={entry}
          />
          <Field
            name="scheduled_date"
            label="Date"
            type="date"
            value={value('scheduled_date')}
            entry={entry}
          />
          <Select
            name="template_slug"
            label="Template"
            hint="Defines the sections and which blocks they contain."
            options={templates.map(({ slug, name }) => ({ value: slug, label: name }))}
            value={value('template_slug')}
            entry={entry}
          />
        </details>
        <button type="submit" id="save-wording" class="small">
          Save
        </button>
      </Form>
    </section>
  )
}

/** The script keeps the number at the end up to date. */
const lengthHint = (advice: string, typed: string) => `${advice} Now: ${[...typed].length}`

function ConflictNotice({ conflicts }: { conflicts: Conflicts }) {
  if (conflicts.length === 0) return ''
  return (
    <div class="notice warn" role="alert">
      <p>Someone else changed this while you typed. Your text is below; save again to keep it.</p>
      <ul>
        {conflicts.map(({ name, now }) => (
          <li safe>{`${labels[name]} is now ${now === '' ? 'empty' : `“${now}”`}`}</li>
        ))}
      </ul>
    </div>
  )
}
