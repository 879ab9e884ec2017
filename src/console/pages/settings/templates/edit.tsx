import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { NewTemplate, Template } from '../../../../contract/newsletters/template.ts'
import { templateBases } from '../../../../contract/vocabulary.ts'
import { getTeamDetails } from '../../../../features/teams/index.ts'
import {
  createTemplate,
  getTemplate,
  inLanguage,
  requireOwnTemplate,
  updateTemplate,
} from '../../../../features/templates/index.ts'
import type { Context } from '../../../../lib/context.ts'
import { undoOnError } from '../../../../lib/database/db.ts'
import { AppError, invalidField } from '../../../../lib/errors.ts'
import { slugify } from '../../../../lib/text/slug.ts'
import { settingsLayout } from '../../../components/layout/settings-layout.tsx'
import { access } from '../../../http/access.ts'
import type {
  ConsoleDeps,
  FormRequest,
  MemberRequest,
  SubmittedForm,
} from '../../../http/context.ts'
import { once } from '../../../http/forms/once.ts'
import { redirect, success } from '../../../http/responses.ts'
import { TemplateEditor } from './form.tsx'
import { showSample } from './preview.tsx'
import { changeSections } from './section-list.ts'
import { formOf, TemplateForm, templateFieldsOf } from './values.ts'

const path = '/settings/templates'

/** The template that a new one starts from: the one in the query, or the default one. */
const loadSource = ({ ctx, url }: MemberRequest): Promise<Template> =>
  getTemplate(ctx, url.searchParams.get('from') ?? 'clean')

async function editor(
  context: MemberRequest,
  page: { title: string; action: string; values: TemplateForm },
  submitted?: SubmittedForm,
): Promise<Response> {
  const team = await getTeamDetails(context.ctx, null)
  const { title, action, values } = page
  return await settingsLayout(
    context,
    { tab: path, title, scripts: ['preview.js'] },
    <TemplateEditor {...{ context, team, action, values, submitted }} />,
  )
}

async function newPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const source = await loadSource(context)
  const action = `${path}/new?from=${source.slug}`
  const { language } = await getTeamDetails(context.ctx, null)
  const start = { ...formOf(inLanguage(source, language)), name: '', description: '' }
  const values = submitted ? v.parse(TemplateForm, submitted.values) : start
  return await editor(context, { title: context.t('templates.new'), action, values }, submitted)
}

async function editPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const id = context.params['id'] ?? ''
  await requireOwnTemplate(context.ctx, id)
  const template = await getTemplate(context.ctx, id)
  const values = submitted ? v.parse(TemplateForm, submitted.values) : formOf(template)
  const action = `${path}/${id}/edit`
  return await editor(context, { title: template.name, action, values }, submitted)
}

/** The form with a change of its sections, which is shown again and not stored. */
function unsaved({ values, body }: FormRequest<typeof TemplateForm>): SubmittedForm {
  const sections = body.section_change ? changeSections(body, body.section_change) : {}
  return { values: { ...values, ...sections }, errors: [] }
}

const isUnfinished = ({ preview, section_change }: TemplateForm) =>
  preview !== '' || section_change !== ''

async function create(context: FormRequest<typeof TemplateForm>): Promise<Response> {
  if (isUnfinished(context.body)) return await newPage(context, unsaved(context))
  await createUnderFreeSlug(context, templateFieldsOf(context.body))
  return redirect(context, path, success(context.t('templates.created')))
}

type NewFields = ReturnType<typeof templateFieldsOf>

/** Creates a template under a slug from its name, with a number where the slug is taken. */
async function createUnderFreeSlug({ ctx }: MemberRequest, fields: NewFields): Promise<void> {
  const start = slugify(fields.name, { longest: 40, otherwise: 'template' })
  for (let number = 1; number <= 50; number++) {
    const slug = number === 1 ? start : `${start}-${number}`
    if (await createUnless(ctx, { slug, category: 'general', premium: false, ...fields })) return
  }
  throw invalidField('/name', 'belongs to 50 templates already; choose another one', 'taken')
}

/** Creates a template; false when its slug is taken. */
async function createUnless(ctx: Context, template: NewTemplate): Promise<boolean> {
  if (templateBases.some((base) => base === template.slug)) return false
  try {
    await undoOnError(ctx.sql, () => createTemplate(ctx, template))
    return true
  } catch (error) {
    const faults = error instanceof AppError ? error.details.fields : []
    if (faults?.some(({ code }) => code === 'taken')) return false
    throw error
  }
}

async function save(context: FormRequest<typeof TemplateForm>): Promise<Response> {
  if (isUnfinished(context.body)) return await editPage(context, unsaved(context))
  const slug = context.params['id'] ?? ''
  await updateTemplate(context.ctx, { slug, change: templateFieldsOf(context.body) })
  return redirect(context, path, success(context.t('common.saved')))
}

/** Routes that create and change templates. */
export const templateEditPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get(`${path}/html`, showSample, { role: 'admin' })
    .get(`${path}/new`, (context) => newPage(context), { role: 'admin' })
    .post(`${path}/new`, once(create), {
      role: 'admin',
      body: TemplateForm,
      renderWithErrors: newPage,
    })
    .get(`${path}/:id/edit`, (context) => editPage(context), { role: 'admin' })
    .post(`${path}/:id/edit`, save, {
      role: 'admin',
      body: TemplateForm,
      renderWithErrors: editPage,
    })
