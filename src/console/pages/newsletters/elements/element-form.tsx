import { Elysia } from 'elysia'
import * as v from 'valibot'
import { ElementChange, NewElement } from '../../../../contract/newsletters/element.ts'
import type { Newsletter } from '../../../../contract/newsletters/newsletter.ts'
import {
  addElement,
  adoptSections,
  getNewsletter,
  updateElement,
} from '../../../../features/newsletters/index.ts'
import { inTransaction } from '../../../../lib/context.ts'
import { notFound } from '../../../../lib/errors.ts'
import { parseInput } from '../../../../lib/parse.ts'
import { ErrorSummary, Field, Form, Select } from '../../../components/form/form.tsx'
import { FormButtons } from '../../../components/form/form-buttons.tsx'
import { TextArea } from '../../../components/form/text-area.tsx'
import {
  type Conflict,
  conflictStatus,
  findConflicts,
  keepsBoth,
  mergedTexts,
  OriginalTexts,
  retryAfterChange,
  seenConflicts,
  TextConflictNotice,
  type Texts,
  withSeen,
  withTheirTexts,
} from '../../../components/form/text-conflicts.tsx'
import { layout } from '../../../components/layout/layout.tsx'
import { access } from '../../../http/access.ts'
import type {
  ConsoleDeps,
  FormRequest,
  MemberRequest,
  SubmittedForm,
} from '../../../http/context.ts'
import { textOf } from '../../../http/forms/form-data.ts'
import { once } from '../../../http/forms/once.ts'
import { redirect, success } from '../../../http/responses.ts'
import type { Translate } from '../../../locales/index.ts'
import { addElementLabels, elementLabels } from '../composer/arranged-blocks.ts'
import { NewsletterHeader } from '../header.tsx'
import {
  nextBlockIdOf,
  positionBefore,
  positionChange,
  withStoredPosition,
} from './element-position.ts'
import { linesOf, optionsOf, withAnswerErrors } from './poll-answers.ts'
import { htmlOf, typedTextOf } from './typed-text.ts'

type Element = Newsletter['elements'][number]
const types = ['section', 'divider', 'callout', 'poll'] as const
const ElementType = v.fallback(v.picklist(types), 'section')

interface FormProps {
  context: MemberRequest
  newsletter: Newsletter
  type: Element['type']
  element: Element | null
  submitted: SubmittedForm | undefined
  conflicts: readonly Conflict[]
}

function ElementForm({ context, newsletter, type, element, submitted, conflicts }: FormProps) {
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
          texts={{ ...textsOf(element), before: nextBlockIdOf(newsletter, element) }}
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

/** The form of an element, or of a new one. `given` are conflicts of a form that does not say what it showed. */
export async function elementPage(
  context: MemberRequest,
  form?: SubmittedForm,
  given?: readonly Conflict[],
): Promise<Response> {
  const { t } = context
  const newsletter = await getNewsletter(context.ctx, context.params['id'] ?? '')
  const elementId = context.params['elementId']
  const element = newsletter.elements.find(({ id }) => id === elementId) ?? null
  if (elementId !== undefined && !element) throw notFound('The element')
  const conflicts = given ?? undecidedConflicts(form, element)
  const submitted = form && withTheirChanges(t, form, { newsletter, element })
  const wanted = submitted ? textOf(submitted.values, 'type') : context.url.searchParams.get('type')
  const type = element?.type ?? v.parse(ElementType, wanted)
  const title = t(element ? elementLabels[type] : addElementLabels[type])
  return await layout(
    context,
    {
      title,
      section: 'newsletters',
      status: conflictStatus(submitted, conflicts),
    },
    <>
      <NewsletterHeader context={context} newsletter={newsletter} page="compose" />
      <h2>{title}</h2>
      <ElementForm {...{ context, newsletter, type, element, submitted, conflicts }} />
    </>,
  )
}

const text = v.optional(v.string(), '')
const ElementFormBody = v.object({
  type: ElementType,
  heading: text,
  body: text,
  options: text,
  before: text,
})
type Fields = v.InferOutput<typeof ElementFormBody>

/** The fields that an element of this type has. */
function fieldsOf({ type, heading, body, options }: Fields) {
  if (type === 'section') return { heading }
  if (type === 'divider') return {}
  if (type === 'callout') {
    return { heading: heading.trim() || null, body: body.trim() && htmlOf(body) }
  }
  return { heading, options: optionsOf(options) }
}

/** The texts of an element as they are typed. A heading has one line, so two of them are not joined. */
const textsOf = ({ type, heading, body, options }: Element): Texts => ({
  ...(type !== 'divider' && { heading: heading ?? '' }),
  ...(type === 'callout' && { body: typedTextOf(body) }),
  ...(type === 'poll' && { options: linesOf(options) }),
})

/** The conflicts of a form that is shown again, also those that it showed before. */
function undecidedConflicts(form: SubmittedForm | undefined, element: Element | null): Conflict[] {
  if (!form || !element) return []
  const stored = textsOf(element)
  return withSeen(findConflicts(form.values, stored), seenConflicts(form.values, stored))
}

/** A form that is shown again: what only another person has changed since it was shown is theirs. */
function withTheirChanges(
  t: Translate,
  form: SubmittedForm,
  { newsletter, element }: { newsletter: Newsletter; element: Element | null },
): SubmittedForm {
  const values = element ? withTheirTexts(form.values, textsOf(element)) : form.values
  return withStoredPosition(withAnswerErrors(t, { ...form, values }), newsletter, element)
}

async function add(context: FormRequest<typeof ElementFormBody>): Promise<Response> {
  const { t } = context
  const id = context.params['id'] ?? ''
  const { type, before } = context.body
  const element = parseInput(NewElement, { type, ...fieldsOf(context.body) })
  await inTransaction(context.ctx, async (ctx) => {
    // The newsletter keeps its headings when it gets its first element.
    await adoptSections(ctx, { id })
    const before_position = positionBefore(await getNewsletter(ctx, id), before)
    await addElement(ctx, { id, element: { ...element, before_position } })
  })
  return redirect(
    context,
    `/newsletters/${id}?panel=outline#blocks`,
    success(t('newsletters.added_element', { value: t(elementLabels[type]) })),
  )
}

async function save(context: FormRequest<typeof ElementFormBody>): Promise<Response> {
  const { t, values } = context
  const { id = '', elementId = '' } = context.params
  const newsletter = await getNewsletter(context.ctx, id)
  const element = newsletter.elements.find((one) => one.id === elementId)
  if (!element) throw notFound('The element')
  const conflicts = findConflicts(values, textsOf(element))
  if (conflicts.length > 0 && !keepsBoth(values)) {
    return await elementPage(context, { values, errors: [] })
  }
  const texts = mergedTexts(values, textsOf(element))
  const change = parseInput(ElementChange, {
    ...fieldsOf({ ...context.body, ...texts }),
    ...positionChange(newsletter, values),
  })
  await updateElement(context.ctx, { id, elementId, change, expected: [newsletter.version] })
  return redirect(context, `/newsletters/${id}?panel=outline#blocks`, success(t('common.saved')))
}

/** The pages that add and change sections, dividers, callouts and polls. */
export const elementPages = (deps: ConsoleDeps) => {
  const form = { role: 'editor', body: ElementFormBody, renderWithErrors: elementPage } as const
  return new Elysia()
    .use(access(deps))
    .get('/newsletters/:id/elements/new', (context) => elementPage(context), { role: 'editor' })
    .post('/newsletters/:id/elements/new', once(add), form)
    .get('/newsletters/:id/elements/:elementId', (context) => elementPage(context), {
      role: 'editor',
    })
    .post(
      '/newsletters/:id/elements/:elementId',
      once((context: FormRequest<typeof ElementFormBody>) => retryAfterChange(() => save(context))),
      form,
    )
}
