import { Elysia } from 'elysia'
import * as v from 'valibot'
import { ElementChange } from '../../../../contract/newsletter-element.ts'
import {
  adoptSections,
  getNewsletter,
  updateElement,
} from '../../../../features/newsletters/index.ts'
import { inTransaction } from '../../../../lib/context.ts'
import { notFound } from '../../../../lib/errors.ts'
import { parseInput } from '../../../../lib/parse.ts'
import { ErrorSummary, Field, Form } from '../../../components/form/form.tsx'
import { layout } from '../../../components/layout/layout.tsx'
import { access } from '../../../http/access.ts'
import type {
  ConsoleDeps,
  FormRequest,
  MemberRequest,
  SubmittedForm,
} from '../../../http/context.ts'
import { redirect, success } from '../../../http/responses.ts'
import { arrangeBySection } from '../composer/arranged-blocks.ts'
import { NewsletterHeader } from '../header.tsx'

const placeOf = ({ params }: MemberRequest) => Number(params['place'])

/** The page for the heading of a section that the newsletter has from its template. */
async function titlePage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t } = context
  const newsletter = await getNewsletter(context.ctx, context.params['id'] ?? '')
  const path = `/newsletters/${newsletter.id}`
  // With elements, the headings of sections are elements.
  if (newsletter.elements.length > 0) return redirect(context, `${path}?panel=outline#blocks`)
  const section = (await arrangeBySection(t, context.ctx, newsletter))[placeOf(context)]
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
      <Form context={context} action={`${path}/sections/${placeOf(context)}`} class="narrow" draft>
        <ErrorSummary submitted={submitted} exceptFields={['heading']} />
        <Field
          name="heading"
          label={t('newsletters.heading')}
          value={section.title}
          required
          maxlength={255}
          submitted={submitted}
        />
        <div class="row">
          <button type="submit" class="primary">
            {t('common.save')}
          </button>
          <a href={path} data-close>
            {t('common.cancel')}
          </a>
        </div>
      </Form>
    </>,
  )
}

const TitleForm = v.object({ heading: v.optional(v.string(), '') })

async function save(context: FormRequest<typeof TitleForm>): Promise<Response> {
  const id = context.params['id'] ?? ''
  const change = parseInput(ElementChange, { heading: context.body.heading })
  await inTransaction(context.ctx, async (ctx) => {
    await adoptSections(ctx, { id })
    const { elements } = await getNewsletter(ctx, id)
    const section = elements.filter(({ type }) => type === 'section')[placeOf(context)]
    if (!section) throw notFound('The section')
    await updateElement(ctx, { id, elementId: section.id, change, expected: null })
  })
  return redirect(
    context,
    `/newsletters/${id}?panel=outline#blocks`,
    success(context.t('common.saved')),
  )
}

/** The page that changes the heading of a section of the template for one newsletter. */
export const sectionTitlePages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/newsletters/:id/sections/:place', (context) => titlePage(context), { role: 'editor' })
    .post('/newsletters/:id/sections/:place', save, {
      role: 'editor',
      body: TitleForm,
      renderWithErrors: titlePage,
    })
