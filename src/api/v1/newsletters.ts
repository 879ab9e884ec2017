import { Elysia } from 'elysia'
import * as v from 'valibot'
import { described } from '../../contract/described.ts'
import { NewNewsletter, NewsletterChange } from '../../contract/newsletters/input.ts'
import { Newsletter, NewsletterSummary } from '../../contract/newsletters/newsletter.ts'
import { newsletterStatuses } from '../../contract/vocabulary.ts'
import {
  createNewsletter,
  deleteNewsletter,
  findNewsletterErrors,
  getNewsletter,
  listNewsletters,
  requireNewsletter,
  updateNewsletter,
} from '../../features/newsletters/index.ts'
import { lostTextWarnings } from '../../lib/html/sanitize-html.ts'
import { listPositionOf } from '../../lib/lists/list-order.ts'
import { versionHeaders } from '../../lib/versions.ts'
import { type Access, access } from '../access.ts'
import { expectedVersions, setVersion } from '../conditional-requests.ts'
import type { ApiDeps } from '../deps.ts'
import { exampleMeta, listMetaField, paginate } from '../list.ts'
import { exampleNewsletter, exampleSummary } from '../openapi/examples/newsletter.ts'
import { document, entityTag, ifMatch } from '../openapi/operation.ts'
import { pageParameters, repeatableChoice, timeFilterOf, timeParameters } from '../parameters.ts'
import { NoContent, noContent, resource, responses } from '../response.ts'

export const NewsletterResponse = resource({
  newsletter: described(Newsletter, 'The newsletter.', exampleNewsletter),
})
export const NewsletterList = v.strictObject({
  newsletters: described(v.array(NewsletterSummary), 'The newsletters of this page.', [
    exampleSummary,
  ]),
  meta: listMetaField,
})

const NewsletterQuery = v.object({
  ...pageParameters,
  status: repeatableChoice(newsletterStatuses, 'The status.'),
  ...timeParameters,
})

const oneNewsletter = { newsletter: exampleNewsletter }
const newNewsletter = {
  newsletter: {
    ...exampleNewsletter,
    status: 'draft',
    version: 1,
    blocks_count: 0,
    blocks: [],
    elements: [],
  },
}

const addressOf = ({ id }: { id: string }) => `/api/v1/newsletters/${id}`

/** 404 of the newsletter in the path, before any fault of the body. */
export const requireNewsletterInPath: NonNullable<Access['requireResource']> = (ctx, { id = '' }) =>
  requireNewsletter(ctx, id)

/** Warnings for words of the texts that were removed. */
function textWarnings({ intro, closing }: NewsletterChange): { warnings?: string[] } {
  const warnings = Object.entries({ intro, closing }).flatMap(([field, html]) =>
    html ? lostTextWarnings(field, html) : [],
  )
  return warnings.length > 0 ? { warnings } : {}
}

/** `/newsletters`. */
export const newsletters = (deps: ApiDeps) =>
  new Elysia({ prefix: '/newsletters', tags: ['Newsletters'] })
    .use(access(deps))
    .get(
      '/',
      async ({ caller, ctx, query, request, set }) => {
        const filter = { ...timeFilterOf(query, 'nl'), statuses: query.status ?? [] }
        const { sort } = filter
        const context = { caller, query, request, set }
        const { items, meta } = await paginate(deps, context, {
          name: 'newsletters',
          sort,
          parameters: NewsletterQuery,
          fields: NewsletterSummary,
          load: (page) => listNewsletters(ctx, { ...filter, page }),
          positionOf: (newsletter) => listPositionOf(sort, newsletter),
        })
        return { newsletters: items, meta }
      },
      {
        access: { scope: 'read' },
        query: NewsletterQuery,
        response: responses({ 200: NewsletterList }),
        detail: document({
          operationId: 'listNewsletters',
          summary: 'List newsletters, newest first',
          responses: {
            200: {
              description: 'A page of newsletters, without their blocks.',
              example: { newsletters: [exampleSummary], meta: exampleMeta },
            },
          },
        }),
      },
    )
    .get(
      '/:id',
      async ({ ctx, params, request, set }) => {
        const newsletter = await getNewsletter(ctx, params.id)
        setVersion(request, set, newsletter)
        return { newsletter }
      },
      {
        access: { scope: 'read' },
        response: responses({ 200: NewsletterResponse }),
        detail: document({
          operationId: 'getNewsletter',
          summary: 'Show a newsletter with its blocks',
          responses: { 200: { description: 'The newsletter.', example: oneNewsletter } },
          responseHeaders: entityTag,
        }),
      },
    )
    .post(
      '/',
      ({ body, write }) =>
        write(async (ctx) => {
          const newsletter = await createNewsletter(ctx, body)
          const headers = { ...versionHeaders(newsletter), location: addressOf(newsletter) }
          return { status: 201, body: { newsletter, ...textWarnings(body) }, headers }
        }),
      {
        access: { scope: 'write', findErrors: findNewsletterErrors },
        body: NewNewsletter,
        response: responses({ 201: NewsletterResponse }),
        detail: document({
          operationId: 'createNewsletter',
          summary: 'Create a newsletter',
          bodyExample: { title: 'November news', subject_line: 'What November brought' },
          responses: {
            201: { description: 'The new newsletter, without blocks.', example: newNewsletter },
          },
          responseHeaders: entityTag,
        }),
      },
    )
    .patch(
      '/:id',
      ({ params, body, request, write }) =>
        write(async (ctx) => {
          const expected = expectedVersions(request)
          const newsletter = await updateNewsletter(ctx, { id: params.id, change: body, expected })
          const headers = versionHeaders(newsletter)
          return { status: 200, body: { newsletter, ...textWarnings(body) }, headers }
        }),
      {
        access: {
          scope: 'write',
          requireResource: requireNewsletterInPath,
          findErrors: findNewsletterErrors,
        },
        body: NewsletterChange,
        response: responses({ 200: NewsletterResponse }),
        detail: document({
          operationId: 'updateNewsletter',
          summary: 'Change a newsletter',
          description:
            'Send only what changes. `status` goes draft → in_progress → ready → sent, and a step back before it is sent. `ready` and `sent` need a subject line, at least one block, and no block that is a draft or under embargo; a ready newsletter that loses one of these is in progress again. Where the team requires an approval, a member first approves it in the console; without that, `ready` and `sent` return 409. A sent newsletter cannot change any more, and its blocks become used.',
          bodyExample: { status: 'ready' },
          requestHeaders: ifMatch,
          responses: {
            200: { description: 'The newsletter as it is now.', example: oneNewsletter },
          },
          responseHeaders: entityTag,
          errors: ['newsletter_sent', 'invalid_transition', 'embargoed'],
        }),
      },
    )
    .delete(
      '/:id',
      ({ params, request, write }) =>
        write(async (ctx) => {
          await deleteNewsletter(ctx, { id: params.id, expected: expectedVersions(request) })
          return noContent
        }),
      {
        access: { scope: 'write', requireResource: requireNewsletterInPath },
        response: responses({ 204: NoContent }),
        detail: document({
          operationId: 'deleteNewsletter',
          summary: 'Delete a newsletter',
          description: 'Its blocks stay in the library.',
          requestHeaders: ifMatch,
          responses: { 204: { description: 'The newsletter is deleted.' } },
          errors: ['newsletter_sent'],
        }),
      },
    )
