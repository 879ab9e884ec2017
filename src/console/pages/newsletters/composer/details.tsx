import type { Newsletter } from '../../../../contract/newsletter.ts'
import type { Template } from '../../../../contract/template.ts'
import { attribute } from '../../../attribute.ts'
import { ErrorSummary, Field, Form, Select } from '../../../components/form/form.tsx'
import type { MemberRequest, SubmittedForm } from '../../../http/context.ts'
import { textOf } from '../../../http/form-data.ts'

/** The names of the fields in the details form. */
export const detailFields = [
  ...(['title', 'subject_line', 'preheader_text', 'scheduled_date', 'template_slug'] as const),
]
export type DetailField = (typeof detailFields)[number]

/** The fields that another person has changed in the meantime, with their current values. */
export type Conflicts = readonly { name: DetailField; now: string }[]

const labels: Record<DetailField, string> = {
  title: 'Title',
  subject_line: 'Subject',
  preheader_text: 'Preheader',
  scheduled_date: 'Date',
  template_slug: 'Template',
}

interface DetailsFormProps {
  context: MemberRequest
  newsletter: Newsletter
  templates: readonly Template[]
  view: string
  submitted?: SubmittedForm | undefined
  conflicts?: Conflicts
}

/** The form for subject, preheader, title, date and template. */
export function DetailsForm({
  context,
  newsletter,
  templates,
  view,
  submitted,
  conflicts = [],
}: DetailsFormProps) {
  const value = (name: DetailField) => newsletter[name] ?? ''
  const currentValue = (name: DetailField) =>
    submitted ? textOf(submitted.values, name) : value(name)
  return (
    <section id="details" class="card" data-part aria-label="Subject and template">
      <Form context={context} action={`/newsletters/${newsletter.id}`}>
        <ConflictNotice conflicts={conflicts} />
        <ErrorSummary submitted={submitted} exceptFields={[...detailFields]} />
        <input type="hidden" name="view" value={attribute(view)} />
        {detailFields.map((name) => (
          <input type="hidden" name={`original_${name}`} value={attribute(value(name))} />
        ))}
        <Field
          name="subject_line"
          label="Subject"
          hint={lengthHint('Phones show about 40 characters.', currentValue('subject_line'))}
          value={value('subject_line')}
          maxlength={255}
          submitted={submitted}
        />
        <Field
          name="preheader_text"
          label="Preheader"
          hint={lengthHint(
            'Shown after the subject; 40 to 90 characters are good.',
            currentValue('preheader_text'),
          )}
          value={value('preheader_text')}
          maxlength={255}
          submitted={submitted}
        />
        <details id="more-details" open={Boolean(submitted)}>
          <summary>Title, date and template</summary>
          <Field
            name="title"
            label="Title"
            value={value('title')}
            required
            maxlength={255}
            submitted={submitted}
          />
          <Field
            name="scheduled_date"
            label="Date"
            type="date"
            value={value('scheduled_date')}
            submitted={submitted}
          />
          <Select
            name="template_slug"
            label="Template"
            hint="Defines the sections and which blocks they contain."
            options={templates.map(({ slug, name }) => ({ value: slug, label: name }))}
            value={value('template_slug')}
            submitted={submitted}
          />
        </details>
        <button type="submit" id="save-details" class="small">
          Save
        </button>
      </Form>
    </section>
  )
}

/** The script updates the number at the end while a person types. */
const lengthHint = (advice: string, currentValue: string) =>
  `${advice} Now: ${[...currentValue].length}`

function ConflictNotice({ conflicts }: { conflicts: Conflicts }) {
  if (conflicts.length === 0) return ''
  return (
    <div class="notice warning" role="alert">
      <p>Someone else changed this while you typed. Your text is below; save again to keep it.</p>
      <ul>
        {conflicts.map(({ name, now }) => (
          <li safe>{`${labels[name]} is now ${now === '' ? 'empty' : `“${now}”`}`}</li>
        ))}
      </ul>
    </div>
  )
}
