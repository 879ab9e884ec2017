import type { Newsletter } from '../../../../contract/newsletters/newsletter.ts'
import { ErrorSummary, Field, Form, Select } from '../../../components/form/form.tsx'
import { FormButtons } from '../../../components/form/form-buttons.tsx'
import { TextArea } from '../../../components/form/text-area.tsx'
import {
  type Conflict,
  OriginalTexts,
  TextConflictNotice,
} from '../../../components/form/text-conflicts.tsx'
import type { MemberRequest, SubmittedForm } from '../../../http/context.ts'
import { nextBlockIdOf } from './element-position.ts'
import { type Element, elementTextsOf } from './element-values.ts'
import { linesOf } from './poll-answers.ts'
import { typedTextOf } from './typed-text.ts'

interface FormProps {
  context: MemberRequest
  newsletter: Newsletter
  type: Element['type']
  element: Element | null
  submitted: SubmittedForm | undefined
  conflicts: readonly Conflict[]
}

/** The form of an element, or of a new one. */
export function ElementForm({
  context,
  newsletter,
  type,
  element,
  submitted,
  conflicts,
}: FormProps) {
  const { t } = context
  const path = `/newsletters/${newsletter.id}`
  const positions = [
    ...newsletter.blocks.map(({ id, content_block }) => ({
      value: id,
      label: t('newsletters.before', { title: content_block.title }),
    })),
    { value: '', label: t('newsletters.at_the_end') },
  ]
  return (
    <Form
      context={context}
      // Each type has a draft of its own.
      action={`${path}/elements/${element?.id ?? `new?type=${type}`}`}
      class="narrow"
      draft
    >
      <ErrorSummary submitted={submitted} exceptFields={['heading', 'body', 'options', 'before']} />
      <TextConflictNotice t={t} conflicts={conflicts} />
      <input type="hidden" name="type" value={type} />
      {element ? (
        <OriginalTexts
          texts={{ ...elementTextsOf(element), before: nextBlockIdOf(newsletter, element) }}
        />
      ) : null}
      {type === 'divider' ? null : (
        <Field
          name="heading"
          label={type === 'poll' ? t('newsletters.question') : t('newsletters.heading')}
          value={element?.heading ?? ''}
          required={type !== 'callout'}
          maxlength={255}
          submitted={submitted}
        />
      )}
      {type === 'callout' ? (
        <TextArea
          name="body"
          label={t('common.body')}
          hint={t('newsletters.blank_lines_make_paragraphs_html')}
          richText
          value={typedTextOf(element?.body ?? null)}
          required
          submitted={submitted}
        />
      ) : null}
      {type === 'poll' ? (
        <TextArea
          name="options"
          label={t('newsletters.answers')}
          hint={t('newsletters.one_per_line_the_words')}
          rows={4}
          value={linesOf(element?.options ?? null)}
          required
          submitted={submitted}
        />
      ) : null}
      <Select
        name="before"
        label={t('newsletters.place')}
        options={positions}
        value={nextBlockIdOf(newsletter, element)}
        submitted={submitted}
      />
      <FormButtons t={t} label={element ? t('common.save') : t('common.add')} cancelPath={path} />
    </Form>
  )
}
