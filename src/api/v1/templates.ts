import { Elysia } from 'elysia'
import * as v from 'valibot'
import { described } from '../../contract/described.ts'
import {
  NewTemplate,
  Template,
  TemplateChange,
  TemplateStyle,
} from '../../contract/newsletters/template.ts'
import { requireReadableBackground } from '../../features/newsletters/index.ts'
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  requireFreeTemplateSlug,
  requireOwnTemplate,
  updateTemplate,
} from '../../features/templates/index.ts'
import type { Context } from '../../lib/context.ts'
import { inputErrorsOf } from '../../lib/errors.ts'
import { validPartOf } from '../../lib/parse.ts'
import { type Access, access } from '../access.ts'
import type { ApiDeps } from '../deps.ts'
import { exampleMeta, listMetaField, paginate } from '../list.ts'
import { document } from '../openapi/operation.ts'
import { pageParameters } from '../parameters.ts'
import { NoContent, noContent, resource, responses } from '../response.ts'

const example = {
  slug: 'clean',
  name: 'Clean',
  category: 'general',
  description: 'Calm and white with one accent color, for an issue people read from top to bottom.',
  system: true,
  premium: false,
  base: 'clean',
  style: {
    accent_color: null,
    background_color: null,
    font: 'system',
    width: 600,
    corner_radius: 8,
    show_logo: true,
  },
  sections: [
    { title: 'News', block_types: ['general', 'policy_change'] },
    { title: 'People', block_types: ['new_starter', 'team_spotlight'] },
  ],
} satisfies Template

export const TemplateResponse = resource({
  template: described(Template, 'The template.', example),
})
export const TemplateList = v.strictObject({
  templates: described(v.array(Template), 'The templates of this page.', [example]),
  meta: listMetaField,
})

const TemplateQuery = v.object(pageParameters)

/** 404 of the template in the path, before any fault of the body. */
const requireOwnInPath: NonNullable<Access['requireResource']> = (ctx, { slug = '' }) =>
  requireOwnTemplate(ctx, slug)

const findNewErrors: NonNullable<Access['findErrors']> = async (ctx, input) => {
  const { slug, base = 'clean' } = validPartOf(NewTemplate, input)
  const { background_color: color } = validStyleOf(input)
  const [taken, unreadable] = await Promise.all([
    inputErrorsOf(() => slug && requireFreeTemplateSlug(ctx, slug)),
    inputErrorsOf(() => requireReadableBackground(base, color ?? null)),
  ])
  return [...taken, ...unreadable]
}

const findChangeErrors: NonNullable<Access['findErrors']> = async (ctx, input, { slug = '' }) => {
  const { base } = validPartOf(TemplateChange, input)
  const change = { base, style: validStyleOf(input) }
  return await inputErrorsOf(() => requireReadableChange(ctx, slug, change))
}

/** Throws `validation_failed` when a change leaves a background on which text cannot be read. */
async function requireReadableChange(
  ctx: Context,
  slug: string,
  { base, style: { background_color: color } = {} }: Pick<TemplateChange, 'base' | 'style'>,
): Promise<void> {
  if (!base && color === undefined) return
  const current = await getTemplate(ctx, slug)
  const next = color === undefined ? current.style.background_color : color
  requireReadableBackground(base ?? current.base, next)
}

const validStyleOf = ({ style }: Readonly<Record<string, unknown>>): Partial<TemplateStyle> =>
  v.is(v.record(v.string(), v.unknown()), style) ? validPartOf(TemplateStyle, style) : {}

const bodyExample = {
  slug: 'our-own',
  name: 'Our own',
  description: 'What we send on Mondays.',
  base: 'clean',
  sections: example.sections,
  style: { accent_color: '#0f766e', font: 'georgia' },
}

/** `/templates`: what newsletters look like. */
export const templates = (deps: ApiDeps) =>
  new Elysia({ prefix: '/templates', tags: ['Templates'] })
    .use(access(deps))
    .get(
      '/',
      async ({ caller, ctx, query, request, set }) => {
        const context = { caller, query, request, set }
        const { items, meta } = await paginate(deps, context, {
          name: 'templates',
          parameters: TemplateQuery,
          fields: Template,
          load: (page) => listTemplates(ctx, page),
          positionOf: ({ slug }) => slug,
        })
        return { templates: items, meta }
      },
      {
        access: { scope: 'read' },
        query: TemplateQuery,
        response: responses({ 200: TemplateList }),
        detail: document({
          operationId: 'listTemplates',
          summary: "List templates: those every team has, then the team's own by slug",
          responses: {
            200: {
              description: 'A page of templates.',
              example: { templates: [example], meta: exampleMeta },
            },
          },
        }),
      },
    )
    .get(
      '/:slug',
      async ({ ctx, params }) => ({
        template: await getTemplate(ctx, params.slug),
      }),
      {
        access: { scope: 'read' },
        response: responses({ 200: TemplateResponse }),
        detail: document({
          operationId: 'getTemplate',
          summary: 'Show a template',
          responses: { 200: { description: 'The template.', example: { template: example } } },
        }),
      },
    )
    .post(
      '/',
      ({ body, write }) =>
        write(async (ctx) => {
          requireReadableBackground(body.base, body.style?.background_color ?? null)
          const template = await createTemplate(ctx, body)
          const headers = { location: `/api/v1/templates/${template.slug}` }
          return { status: 201, body: { template }, headers }
        }),
      {
        access: { scope: 'write', findErrors: findNewErrors },
        body: NewTemplate,
        response: responses({ 201: TemplateResponse }),
        detail: document({
          operationId: 'createTemplate',
          summary: 'Create a template of the team',
          description:
            'A template has the layout of its `base`, its own sections, and a `style`: settings, not code.',
          bodyExample,
          responses: { 201: { description: 'The new template.', example: { template: example } } },
        }),
      },
    )
    .patch(
      '/:slug',
      ({ body, params: { slug }, write }) =>
        write(async (ctx) => {
          await requireReadableChange(ctx, slug, body)
          const template = await updateTemplate(ctx, { slug, change: body })
          return { status: 200, body: { template } }
        }),
      {
        access: { scope: 'write', requireResource: requireOwnInPath, findErrors: findChangeErrors },
        body: TemplateChange,
        response: responses({ 200: TemplateResponse }),
        detail: document({
          operationId: 'updateTemplate',
          summary: 'Change a template of the team',
          description:
            'Send only what changes, also within `style`. Newsletters that were sent do not change. Templates that every team has return 404.',
          bodyExample: { style: { corner_radius: 12 } },
          responses: {
            200: { description: 'The template as it is now.', example: { template: example } },
          },
        }),
      },
    )
    .delete(
      '/:slug',
      ({ params: { slug }, write }) =>
        write(async (ctx) => {
          await deleteTemplate(ctx, slug)
          return noContent
        }),
      {
        access: { scope: 'write', requireResource: requireOwnInPath },
        response: responses({ 204: NoContent }),
        detail: document({
          operationId: 'deleteTemplate',
          summary: 'Delete a template of the team',
          description: 'Its newsletters get the layout that drew it.',
          responses: { 204: { description: 'The template is deleted.' } },
        }),
      },
    )
