import { Elysia } from 'elysia'
import * as v from 'valibot'
import { ElementChange } from '../../../../contract/newsletters/element.ts'
import type { Newsletter } from '../../../../contract/newsletters/newsletter.ts'
import {
  adoptSections,
  getNewsletter,
  updateElement,
} from '../../../../features/newsletters/index.ts'
import { inTransaction } from '../../../../lib/context.ts'
import { AppError, notFound } from '../../../../lib/errors.ts'
import { parseInput } from '../../../../lib/parse.ts'
import { ErrorSummary, Field, Form } from '../../../components/form/form.tsx'
import { FormButtons } from '../../../components/form/form-buttons.tsx'
import { OriginalTexts } from '../../../components/form/text-conflicts.tsx'
import { layout } from '../../../components/layout/layout.tsx'
import { access } from '../../../http/access.ts'
import type {
  ConsoleDeps,
  FormRequest,
  MemberRequest,
  SubmittedForm,
} from '../../../http/context.ts'
import { redirect } from '../../../http/responses.ts'
import { arrangeBySection } from '../composer/arranged-blocks.ts'
import { NewsletterHeader } from '../header.tsx'
import { redirectWithResult } from '../redirect-with-result.ts'
import { elementPage } from './element-pages.tsx'
import { nextBlockIdOf } from './element-position.ts'

const sectionIndexOf = ({ params }: MemberRequest) => Number(params['position'])

/** The page for the heading of a section that the newsletter has from its template. */
async function titlePage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t } = context
  const newsletter = await getNewsletter(context.ctx, context.params['id'] ?? '')
  const path = `/newsletters/${newsletter.id}`
  // With elements, the headings of sections are elements.
  if (newsletter.elements.length > 0) return redirect(context, `${path}?panel=outline#blocks`)
  const section = (await arrangeBySection(t, context.ctx, newsletter))[sectionIndexOf(context)]
  if (!section) throw notFound('The section')
  return await layout(
    context,
    {
      title: t('newsletters.section_heading'),
      section: 'newsletters',
      status: submitted ? 422 : 200,
    },
    <>
      <NewsletterHeader context={context} newsletter={newsletter} page="compose" />
      <h2>{t('newsletters.section_heading')}</h2>
      <p class="muted">{t('newsletters.own_headings')}</p>
      <Form
        context={context}
        action={`${path}/sections/${sectionIndexOf(context)}`}
        class="narrow"
        draft
      >
        <ErrorSummary submitted={submitted} exceptFields={['heading']} />
        <OriginalTexts texts={{ heading: section.title }} />
        <Field
          name="heading"
          label={t('newsletters.heading')}
          value={section.title}
          required
          maxlength={255}
          submitted={submitted}
        />
        <FormButtons t={t} cancelPath={path} />
      </Form>
    </>,
  )
}

const TitleForm = v.object({
  heading: v.optional(v.string(), ''),
  original_heading: v.optional(v.string(), ''),
})

/** The section that had this heading when the form was shown; its position may have changed since. */
function findSection(
  { elements }: Newsletter,
  position: number,
  heading: string,
): Newsletter['elements'][number] | undefined {
  const sections = elements.filter(({ type }) => type === 'section')
  const named = sections.filter((section) => section.heading === heading)
  return named.find((section) => section === sections[position]) ?? named[0]
}

/** Shows what another person has called the section, with the heading that was typed. */
async function showConflict(
  context: FormRequest<typeof TitleForm>,
  newsletter: Newsletter,
  element: Newsletter['elements'][number],
): Promise<Response> {
  const { id, type, heading } = element
  const values = { type, heading: context.body.heading, before: nextBlockIdOf(newsletter, element) }
  const params = { ...context.params, elementId: id }
  const conflicts = [{ name: 'heading', theirs: heading ?? '' }]
  return await elementPage({ ...context, params }, { values, errors: [] }, conflicts)
}

async function save(context: FormRequest<typeof TitleForm>): Promise<Response> {
  const id = context.params['id'] ?? ''
  const { heading, original_heading } = context.body
  const change = parseInput(ElementChange, { heading })
  const shown = await getNewsletter(context.ctx, id)
  const sections = shown.elements.filter(({ type }) => type === 'section')
  const theirs = sections[sectionIndexOf(context)]
  const isRenamed = !findSection(shown, sectionIndexOf(context), original_heading)
  if (theirs && isRenamed && theirs.heading !== heading) {
    return await showConflict(context, shown, theirs)
  }
  return await redirectWithResult(context, `/newsletters/${id}?panel=outline#blocks`, async () => {
    await inTransaction(context.ctx, async (ctx) => {
      await adoptSections(ctx, { id })
      const newsletter = await getNewsletter(ctx, id)
      const section = findSection(
        newsletter,
        sectionIndexOf(context),
        context.body.original_heading,
      )
      if (!section) throw new AppError('version_mismatch', 'The heading was changed.')
      await updateElement(ctx, { id, elementId: section.id, change, expected: null })
    })
    return { text: context.t('common.saved') }
  })
}

/** The page that changes the heading of a section of the template for one newsletter. */
export const sectionTitlePages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/newsletters/:id/sections/:position', (context) => titlePage(context), { role: 'editor' })
    .post('/newsletters/:id/sections/:position', save, {
      role: 'editor',
      body: TitleForm,
      renderWithErrors: titlePage,
    })
