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
import { laterRichTextScripts, richTextScripts } from '../../../components/form/text-area.tsx'
import {
  type Conflict,
  conflictStatus,
  findConflicts,
  keepsBoth,
  mergedTexts,
  retryAfterChange,
  seenConflicts,
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
import { ElementForm } from './element-form.tsx'
import { positionBefore, positionChange, withStoredPosition } from './element-position.ts'
import {
  type Element,
  ElementFormBody,
  ElementTypeField,
  elementFieldsOf,
  elementTextsOf,
} from './element-values.ts'
import { withAnswerErrors } from './poll-answers.ts'

/** The page with the form of an element, or of a new one. `given` are conflicts of a form that does not say what it showed. */
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
  const type = element?.type ?? v.parse(ElementTypeField, wanted)
  const title = t(element ? elementLabels[type] : addElementLabels[type])
  return await layout(
    context,
    {
      title,
      section: 'newsletters',
      status: conflictStatus(submitted, conflicts),
      ...(type === 'callout' && { scripts: richTextScripts, laterScripts: laterRichTextScripts }),
    },
    <>
      <NewsletterHeader context={context} newsletter={newsletter} page="compose" />
      <h2>{title}</h2>
      <ElementForm {...{ context, newsletter, type, element, submitted, conflicts }} />
    </>,
  )
}

/** The conflicts of a form that is shown again, also those that it showed before. */
function undecidedConflicts(form: SubmittedForm | undefined, element: Element | null): Conflict[] {
  if (!form || !element) return []
  const stored = elementTextsOf(element)
  return withSeen(findConflicts(form.values, stored), seenConflicts(form.values, stored))
}

/** A form that is shown again: what only another person has changed since it was shown is theirs. */
function withTheirChanges(
  t: Translate,
  form: SubmittedForm,
  { newsletter, element }: { newsletter: Newsletter; element: Element | null },
): SubmittedForm {
  const values = element ? withTheirTexts(form.values, elementTextsOf(element)) : form.values
  return withStoredPosition(withAnswerErrors(t, { ...form, values }), newsletter, element)
}

async function add(context: FormRequest<typeof ElementFormBody>): Promise<Response> {
  const { t } = context
  const id = context.params['id'] ?? ''
  const { type, before } = context.body
  const element = parseInput(NewElement, { type, ...elementFieldsOf(context.body) })
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
  const conflicts = findConflicts(values, elementTextsOf(element))
  if (conflicts.length > 0 && !keepsBoth(values)) {
    return await elementPage(context, { values, errors: [] })
  }
  const texts = mergedTexts(values, elementTextsOf(element))
  const change = parseInput(ElementChange, {
    ...elementFieldsOf({ ...context.body, ...texts }),
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
