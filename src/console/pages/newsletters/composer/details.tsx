import type { Newsletter } from '../../../../contract/newsletters/newsletter.ts'
import type { Template } from '../../../../contract/newsletters/template.ts'
import type { Notice } from '../../../../features/newsletters/index.ts'
import { attribute } from '../../../attribute.ts'
import { ErrorSummary, Field, Form, Select } from '../../../components/form/form.tsx'
import type { MemberRequest, SubmittedForm } from '../../../http/context.ts'
import { textOf } from '../../../http/forms/form-data.ts'
import type { TextKey, Translate } from '../../../locales/index.ts'
import { TargetWarnings } from './warnings.tsx'

/** The names of the fields in the details form. */
export const detailFields = [
  ...(['title', 'subject_line', 'preheader_text', 'scheduled_date', 'template_slug'] as const),
]
export type DetailField = (typeof detailFields)[number]

/** The fields that another person has changed in the meantime, with their current values. */
export type Conflicts = readonly { name: DetailField; now: string }[]

const labels: Record<DetailField, TextKey> = {
  title: 'common.title',
  subject_line: 'newsletters.subject',
  preheader_text: 'newsletters.preheader',
  scheduled_date: 'common.date',
  template_slug: 'newsletters.template',
}

interface DetailsFormProps {
  context: MemberRequest
  newsletter: Newsletter
  templates: readonly Template[]
  notices: readonly Notice[]
  view: string
  submitted?: SubmittedForm | undefined
  conflicts?: Conflicts
}

/** The form for subject, preheader, title, date and template. */
export function DetailsForm({
  context,
  newsletter,
  templates,
  notices,
  view,
  submitted,
  conflicts = [],
}: DetailsFormProps) {
  const { t } = context
  const value = (name: DetailField) => newsletter[name] ?? ''
  const currentValue = (name: DetailField) =>
    submitted ? textOf(submitted.values, name) : value(name)
  return (
    <section id="details" class="card" data-part aria-label={t('newsletters.subject_and_template')}>
      <Form
        context={context}
        action={`/newsletters/${newsletter.id}`}
        draft
        data={{ 'data-saved-on-change': '' }}
      >
        <ConflictNotice t={t} conflicts={conflicts} />
        <ErrorSummary submitted={submitted} exceptFields={[...detailFields]} />
        <input type="hidden" name="view" value={attribute(view)} />
        {detailFields.map((name) => (
          <input type="hidden" name={`original_${name}`} value={attribute(value(name))} />
        ))}
        <div class="subject-fields">
          <div>
            <Field
              name="subject_line"
              label={t('newsletters.subject')}
              hint={lengthHint(t, 'newsletters.length_of_40', currentValue('subject_line'))}
              value={value('subject_line')}
              maxlength={255}
              submitted={submitted}
            />
            {
              (
                <TargetWarnings context={context} notices={notices} target="subject_line" />
              ) as 'safe'
            }
          </div>
          <Field
            name="preheader_text"
            label={t('newsletters.preheader')}
            hint={lengthHint(t, 'newsletters.length_of_40_to_90', currentValue('preheader_text'))}
            placeholder={t('newsletters.shown_after_the_subject')}
            value={value('preheader_text')}
            maxlength={255}
            submitted={submitted}
          />
        </div>
        <details id="more-details" open={Boolean(submitted)}>
          <summary>{t('newsletters.title_date_and_template')}</summary>
          <Field
            name="title"
            label={t('common.title')}
            value={value('title')}
            required
            maxlength={255}
            submitted={submitted}
          />
          <Field
            name="scheduled_date"
            label={t('common.date')}
            type="date"
            value={value('scheduled_date')}
            submitted={submitted}
          />
          <Select
            name="template_slug"
            label={t('newsletters.template')}
            hint={t('newsletters.defines_the_sections')}
            options={templates.map(({ slug, name }) => ({ value: slug, label: name }))}
            value={value('template_slug')}
            submitted={submitted}
          />
        </details>
        <button type="submit" class="small" data-without-script>
          {t('common.save')}
        </button>
      </Form>
    </section>
  )
}

/** The script updates the number at the beginning while a person types. */
const lengthHint = (
  t: Translate,
  advice: 'newsletters.length_of_40' | 'newsletters.length_of_40_to_90',
  currentValue: string,
) => t(advice, { length: [...currentValue].length })

function ConflictNotice({ t, conflicts }: { t: Translate; conflicts: Conflicts }) {
  if (conflicts.length === 0) return ''
  return (
    <div class="notice warning" role="alert">
      <p>{t('newsletters.someone_else_changed_this_while')}</p>
      <ul>
        {conflicts.map(({ name, now }) => (
          <li safe>
            {now === ''
              ? t('newsletters.field_is_empty', { field: t(labels[name]) })
              : t('newsletters.field_is_now', { field: t(labels[name]), now })}
          </li>
        ))}
      </ul>
    </div>
  )
}
