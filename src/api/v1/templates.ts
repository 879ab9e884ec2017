import * as v from 'valibot'
import { Template } from '../../contract/template.ts'
import { getTemplate, listTemplates, toTemplate } from '../../features/templates/index.ts'
import { keyedListAnswer, PageMeta, pageParameters, pageRequest } from '../list.ts'
import { operation } from '../operation.ts'

const exampleTemplate = {
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

export const listTeamTemplates = operation({
  method: 'GET',
  path: '/templates',
  tag: 'Templates',
  summary: "List templates: those every team has, then the team's own by slug",
  scope: 'read',
  query: v.object(pageParameters),
  answers: {
    200: {
      description: 'A page of templates.',
      schema: v.strictObject({ templates: v.array(Template), meta: PageMeta }),
      example: {
        templates: [exampleTemplate],
        meta: { page: 1, per_page: 20, total: 1, total_pages: 1, next_cursor: null },
      },
    },
  },
  work: {
    async read(deps, call) {
      const asked = pageRequest(deps, 'templates', call)
      const page = await listTemplates(deps.sql, call.caller.teamId, asked)
      return keyedListAnswer(deps, 'templates', call, asked, page, ({ slug }) => slug)
    },
  },
})

export const showTemplate = operation({
  method: 'GET',
  path: '/templates/:slug',
  tag: 'Templates',
  summary: 'Show a template',
  scope: 'read',
  answers: {
    200: {
      description: 'The template.',
      schema: v.strictObject({ template: Template }),
      example: { template: exampleTemplate },
    },
  },
  errors: ['not_found'],
  work: {
    async read({ sql }, { caller, params }) {
      const template = await getTemplate(sql, caller.teamId, params['slug'] ?? '')
      return { status: 200, body: { template: toTemplate(template) } }
    },
  },
})
