import { Elysia } from 'elysia'
import { described } from '../../contract/described.ts'
import {
  Arrangement,
  ElementChange,
  NewElement,
  NewsletterElement,
} from '../../contract/newsletters/element.ts'
import {
  addElement,
  arrangeNewsletter,
  findElementErrors,
  findNewElementErrors,
  getNewsletter,
  removeElement,
  requireElement,
  updateElement,
} from '../../features/newsletters/index.ts'
import { notFound } from '../../lib/errors.ts'
import { lostTextWarnings } from '../../lib/html/sanitize-html.ts'
import { versionHeaders } from '../../lib/versions.ts'
import { type Access, access } from '../access.ts'
import { expectedVersions, setVersion } from '../conditional-requests.ts'
import type { ApiDeps } from '../deps.ts'
import { exampleNewsletter } from '../openapi/examples/newsletter.ts'
import { document, entityTag, ifMatch, newsletterTag } from '../openapi/operation.ts'
import { NoContent, noContent, resource, responses } from '../response.ts'
import { NewsletterResponse, requireNewsletterInPath } from './newsletters.ts'

const [example] = exampleNewsletter.elements

export const ElementResponse = resource({
  element: described(NewsletterElement, 'The element.', example),
})

const change = { scope: 'write', requireResource: requireNewsletterInPath } as const
const addition: Access = { ...change, findErrors: (_, input) => findNewElementErrors(input) }
const oneElementChange: Access = {
  scope: 'write',
  async requireResource(ctx, params) {
    const { id = '', element_id: elementId = '' } = params
    await requireNewsletterInPath(ctx, params)
    await requireElement(ctx, { id, elementId })
  },
}
const elementChange: Access = {
  ...oneElementChange,
  findErrors: (ctx, input, { id = '', element_id: elementId = '' }) =>
    findElementErrors(ctx, { id, elementId, input }),
}
const oneElement = { element: example }

/** A warning for words of a callout that were removed. */
function textWarnings(element: NewElement | ElementChange): { warnings?: string[] } {
  const warnings = 'body' in element && element.body ? lostTextWarnings('body', element.body) : []
  return warnings.length > 0 ? { warnings } : {}
}

/** `/newsletters/:id/elements` and `/arrangement`: what is between the blocks of a newsletter. */
export const newsletterElements = (deps: ApiDeps) =>
  new Elysia({ prefix: '/newsletters/:id', tags: ['Newsletters'] })
    .use(access(deps))
    .post(
      '/elements',
      ({ params: { id }, body, write }) =>
        write(async (ctx) => {
          const { element, version } = await addElement(ctx, { id, element: body })
          const location = `/api/v1/newsletters/${id}/elements/${element.id}`
          const headers = { location, ...versionHeaders({ version }) }
          return { status: 201, body: { element, ...textWarnings(body) }, headers }
        }),
      {
        access: addition,
        body: NewElement,
        response: responses({ 201: ElementResponse }),
        detail: document({
          operationId: 'addNewsletterElement',
          summary: 'Add a section, a divider, a callout or a poll to a newsletter',
          description:
            'It is before the block at `before_position`, after the elements that are there already; without a position, at the end. A newsletter has at most 100 elements. With any element, the newsletter has the order of its positions and the headings of its own sections in place of the sections of the template.',
          bodyExample: { type: 'section', heading: 'What shipped', before_position: 1 },
          responses: { 201: { description: 'The new element.', example: oneElement } },
          responseHeaders: newsletterTag,
          errors: ['newsletter_sent'],
        }),
      },
    )
    .get(
      '/elements/:element_id',
      async ({ ctx, params: { id, element_id }, request, set }) => {
        const newsletter = await getNewsletter(ctx, id)
        const element = newsletter.elements.find((one) => one.id === element_id)
        if (!element) throw notFound('The element')
        setVersion(request, set, newsletter)
        return { element }
      },
      {
        access: { scope: 'read' },
        response: responses({ 200: ElementResponse }),
        detail: document({
          operationId: 'getNewsletterElement',
          summary: 'Show an element of a newsletter',
          responses: { 200: { description: 'The element.', example: oneElement } },
          responseHeaders: newsletterTag,
        }),
      },
    )
    .patch(
      '/elements/:element_id',
      ({ params: { id, element_id: elementId }, body, request, write }) =>
        write(async (ctx) => {
          const expected = expectedVersions(request)
          const saved = await updateElement(ctx, { id, elementId, change: body, expected })
          const reply = { element: saved.element, ...textWarnings(body) }
          return { status: 200, body: reply, headers: versionHeaders(saved) }
        }),
      {
        access: elementChange,
        body: ElementChange,
        response: responses({ 200: ElementResponse }),
        detail: document({
          operationId: 'updateNewsletterElement',
          summary: 'Change an element of a newsletter',
          description: 'Send only what changes. The type of an element stays.',
          bodyExample: { heading: 'What shipped' },
          requestHeaders: ifMatch,
          responses: { 200: { description: 'The element as it is now.', example: oneElement } },
          responseHeaders: newsletterTag,
          errors: ['newsletter_sent'],
        }),
      },
    )
    .delete(
      '/elements/:element_id',
      ({ params: { id, element_id: elementId }, request, write }) =>
        write(async (ctx) => {
          await removeElement(ctx, { id, elementId, expected: expectedVersions(request) })
          return noContent
        }),
      {
        access: oneElementChange,
        response: responses({ 204: NoContent }),
        detail: document({
          operationId: 'removeNewsletterElement',
          summary: 'Remove an element from a newsletter',
          requestHeaders: ifMatch,
          responses: { 204: { description: 'The element is deleted.' } },
          errors: ['newsletter_sent'],
        }),
      },
    )
    .patch(
      '/arrangement',
      ({ params: { id }, body: { ids }, request, write }) =>
        write(async (ctx) => {
          const expected = expectedVersions(request)
          const newsletter = await arrangeNewsletter(ctx, { id, ids, expected })
          return { status: 200, body: { newsletter }, headers: versionHeaders(newsletter) }
        }),
      {
        access: change,
        body: Arrangement,
        response: responses({ 200: NewsletterResponse }),
        detail: document({
          operationId: 'arrangeNewsletter',
          summary: 'Put the blocks and elements of a newsletter into another order',
          description:
            '`ids` names every block by its id in the newsletter (`nb_…`) and every element (`ne_…`) once, in the order wanted.',
          bodyExample: { ids: [example?.id, 'nb_019a9f3f41c57e02b1d2c3b4a5968778'] },
          requestHeaders: ifMatch,
          responses: {
            200: {
              description: 'The newsletter in its order.',
              example: { newsletter: exampleNewsletter },
            },
          },
          responseHeaders: entityTag,
          errors: ['newsletter_sent'],
        }),
      },
    )
