import * as v from 'valibot'
import { Newsletter, NewsletterSummary } from '../../contract/newsletter.ts'
import { NewNewsletter, NewsletterChange } from '../../contract/newsletter-input.ts'
import { newsletterStatuses } from '../../contract/vocabulary.ts'
import {
  createNewsletter,
  deleteNewsletter,
  getNewsletter,
  listNewsletters,
  requireNewsletter,
  updateNewsletter,
} from '../../features/newsletters/index.ts'
import { etagOf } from '../../lib/versions.ts'
import { entityTag, expectedVersions, ifMatch } from '../conditions.ts'
import { among, listAnswer, PageMeta, pageParameters, pageRequest } from '../list.ts'
import { type Answer, type Operation, operation } from '../operation.ts'

const exampleSummary = {
  id: 'nl_019a9f3e2b7c7d10a3b4c5d6e7f80912',
  title: 'November news',
  subject_line: 'What November brought',
  preheader_text: 'Two releases and a new colleague',
  status: 'in_progress',
  scheduled_date: '2026-11-30',
  template_slug: 'clean',
  blocks_count: 1,
  version: 2,
  sent_at: null,
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: '2026-11-20T09:31:00.000Z',
} satisfies NewsletterSummary

export const exampleNewsletter = {
  ...exampleSummary,
  blocks: [
    {
      id: 'nb_019a9f3f41c57e02b1d2c3b4a5968778',
      position: 1,
      content_block: {
        id: 'cb_019a9f3e2b7c7d10a3b4c5d6e7f80912',
        title: 'Version 2 is out',
        block_type: 'wins_milestones',
        status: 'ready',
      },
    },
  ],
} satisfies Newsletter

export const OneNewsletter = v.strictObject({ newsletter: Newsletter })
const oneNewsletter = { newsletter: exampleNewsletter }
const { blocks: _, ...emptyNewsletter } = { ...exampleNewsletter, status: 'draft', version: 1 }

export const newsletterAnswer = (newsletter: Newsletter): Answer => ({
  status: 200,
  headers: { etag: etagOf(newsletter.version) },
  body: { newsletter },
})

/** Tells the absence of the newsletter in the path before any fault of the body. */
export const findNewsletter: NonNullable<Operation['find']> = ({ sql }, { caller, params }) =>
  requireNewsletter(sql, caller.teamId, params['id'] ?? '')

export const listNewslettersOperation = operation({
  method: 'GET',
  path: '/newsletters',
  tag: 'Newsletters',
  summary: 'List newsletters, newest first',
  scope: 'read',
  query: v.object({ ...pageParameters, status: among(newsletterStatuses) }),
  answers: {
    200: {
      description: 'A page of newsletters, without their blocks.',
      schema: v.strictObject({ newsletters: v.array(NewsletterSummary), meta: PageMeta }),
      example: {
        newsletters: [exampleSummary],
        meta: { page: 1, per_page: 20, total: 1, total_pages: 1, next_cursor: null },
      },
    },
  },
  work: {
    async read(deps, call) {
      const asked = pageRequest(deps, 'newsletters', call)
      const { caller, query } = call
      const page = await listNewsletters(deps.sql, caller.teamId, query.status, asked)
      return listAnswer(deps, 'newsletters', call, asked, page)
    },
  },
})

export const showNewsletter = operation({
  method: 'GET',
  path: '/newsletters/:id',
  tag: 'Newsletters',
  summary: 'Show a newsletter with its blocks',
  scope: 'read',
  answers: {
    200: { description: 'The newsletter.', schema: OneNewsletter, example: oneNewsletter },
  },
  answerHeaders: entityTag,
  work: {
    async read({ sql }, { caller, params }) {
      const found = await getNewsletter(sql, caller.teamId, params['id'] ?? '')
      return { ...newsletterAnswer(found.newsletter), alwaysFull: found.blocksChanged }
    },
  },
})

export const createNewsletterOperation = operation({
  method: 'POST',
  path: '/newsletters',
  tag: 'Newsletters',
  summary: 'Create a newsletter',
  scope: 'write',
  body: NewNewsletter,
  bodyExample: { title: 'November news', subject_line: 'What November brought' },
  answers: {
    201: {
      description: 'The new newsletter, without blocks.',
      schema: OneNewsletter,
      example: { newsletter: { ...emptyNewsletter, blocks_count: 0, blocks: [] } },
    },
  },
  answerHeaders: entityTag,
  work: {
    async write({ now }, { caller, body }, tx) {
      const newsletter = await createNewsletter(tx, now, caller.teamId, body)
      const { headers, ...answer } = newsletterAnswer(newsletter)
      const location = `/api/v1/newsletters/${newsletter.id}`
      return { ...answer, status: 201, headers: { ...headers, location } }
    },
  },
})

export const updateNewsletterOperation = operation({
  method: 'PATCH',
  path: '/newsletters/:id',
  tag: 'Newsletters',
  summary: 'Change a newsletter',
  description:
    'Send only what changes. `status` goes draft → in_progress → ready → sent, and a step back before it is sent. `ready` and `sent` need a subject line, at least one block, and no block that is a draft or under embargo; a ready newsletter that loses one of these is in progress again. Sent, it is closed for good and its blocks become used.',
  scope: 'write',
  body: NewsletterChange,
  bodyExample: { status: 'ready' },
  requestHeaders: ifMatch,
  answers: {
    200: {
      description: 'The newsletter as it is now.',
      schema: OneNewsletter,
      example: oneNewsletter,
    },
  },
  answerHeaders: entityTag,
  errors: ['newsletter_sent', 'invalid_transition', 'embargoed'],
  find: findNewsletter,
  work: {
    async write({ now }, { caller, params, body, request }, tx) {
      const id = params['id'] ?? ''
      const expected = expectedVersions(request)
      return newsletterAnswer(await updateNewsletter(tx, now, caller.teamId, id, body, expected))
    },
  },
})

export const deleteNewsletterOperation = operation({
  method: 'DELETE',
  path: '/newsletters/:id',
  tag: 'Newsletters',
  summary: 'Delete a newsletter',
  description: 'Its blocks stay in the library.',
  scope: 'write',
  requestHeaders: ifMatch,
  answers: { 204: { description: 'The newsletter is gone.' } },
  errors: ['newsletter_sent'],
  find: findNewsletter,
  work: {
    async write(_, { caller, params, request }, tx) {
      await deleteNewsletter(tx, caller.teamId, params['id'] ?? '', expectedVersions(request))
      return { status: 204 }
    },
  },
})
