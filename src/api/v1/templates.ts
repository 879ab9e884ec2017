import { Elysia } from 'elysia'
import * as v from 'valibot'
import { described } from '../../contract/described.ts'
import { Template } from '../../contract/template.ts'
import { getTemplate, listTemplates, toTemplate } from '../../features/templates/index.ts'
import { access } from '../access.ts'
import type { ApiDeps } from '../deps.ts'
import { exampleMeta, listMetaField, paginate } from '../list.ts'
import { document } from '../openapi/operation.ts'
import { pageParameters } from '../parameters.ts'
import { responses } from '../response.ts'

const example = {
  slug: 'clean',
  name: 'Clean',
  category: 'general',
  description:
    'Calm and white with one accent colour, for an issue people read from top to bottom.',
  system: true,
  premium: false,
  sections: [
    { title: 'News', block_types: ['general', 'policy_change'] },
    { title: 'People', block_types: ['new_starter', 'team_spotlight'] },
  ],
} satisfies Template

export const TemplateResponse = v.strictObject({
  template: described(Template, 'The template.', example),
})
export const TemplateList = v.strictObject({
  templates: described(v.array(Template), 'The templates of this page.', [example]),
  meta: listMetaField,
})

const TemplateQuery = v.object(pageParameters)

/** `/templates`: what newsletters look like. */
export const templates = (deps: ApiDeps) =>
  new Elysia({ prefix: '/templates', tags: ['Templates'] })
    .use(access(deps))
    .get(
      '/',
      async ({ caller, ctx, query, request, set }) => {
        const context = { caller, query, request, set }
        const { items, meta } = await paginate(deps, context, {
          ...{ name: 'templates', parameters: TemplateQuery, fields: Template },
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
        template: toTemplate(await getTemplate(ctx, params.slug)),
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
