import { Elysia } from 'elysia'
import * as v from 'valibot'
import { described } from '../../contract/described.ts'
import { BlockOrder, BlockPlacement, Composition } from '../../contract/newsletters/input.ts'
import { type Newsletter, NewsletterBlock } from '../../contract/newsletters/newsletter.ts'
import {
  addBlock,
  composeNewsletter,
  getNewsletter,
  removeBlock,
  reorderBlocks,
  requireNewsletterBlock,
} from '../../features/newsletters/index.ts'
import { notFound } from '../../lib/errors.ts'
import { versionHeaders } from '../../lib/versions.ts'
import { type Access, access } from '../access.ts'
import { expectedVersions, setVersion } from '../conditional-requests.ts'
import type { ApiDeps } from '../deps.ts'
import { exampleNewsletter } from '../openapi/examples/newsletter.ts'
import { document, entityTag, ifMatch, newsletterTag } from '../openapi/operation.ts'
import { NoContent, noContent, resource, responses } from '../response.ts'
import { NewsletterResponse, requireNewsletterInPath } from './newsletters.ts'

const example = {
  id: 'nb_019a9f3f41c57e02b1d2c3b4a5968778',
  position: 1,
  content_block_id: 'cb_019a9f3e2b7c7d10a3b4c5d6e7f80912',
  content_block_title: 'Version 2 is out',
} satisfies NewsletterBlock

export const NewsletterBlockResponse = resource({
  newsletter_block: described(NewsletterBlock, 'The block in the newsletter.', example),
})
export const NewsletterBlockList = resource({
  newsletter_blocks: described(v.array(NewsletterBlock), 'The blocks in their order.', [example]),
})

const asNewsletterBlock = ({ id, position, content_block }: Newsletter['blocks'][number]) => ({
  id,
  position,
  content_block_id: content_block.id,
  content_block_title: content_block.title,
})

const change = { scope: 'write', requireResource: requireNewsletterInPath } as const
const oneBlockChange: Access = {
  scope: 'write',
  async requireResource(ctx, params) {
    const { id = '', newsletter_block_id: newsletterBlockId = '' } = params
    await requireNewsletterInPath(ctx, params)
    await requireNewsletterBlock(ctx, { id, newsletterBlockId })
  },
}

/** `/newsletters/:id/blocks` and `/compose`: what a newsletter contains, and in which order. */
export const newsletterBlocks = (deps: ApiDeps) =>
  new Elysia({ prefix: '/newsletters/:id', tags: ['Newsletters'] })
    .use(access(deps))
    .post(
      '/blocks',
      ({ params: { id }, body, write }) =>
        write(async (ctx) => {
          const { block, version } = await addBlock(ctx, { id, ...body })
          const location = `/api/v1/newsletters/${id}/blocks/${block.id}`
          const headers = { location, ...versionHeaders({ version }) }
          return { status: 201, body: { newsletter_block: block }, headers }
        }),
      {
        access: change,
        body: BlockPlacement,
        response: responses({ 201: NewsletterBlockResponse }),
        detail: document({
          operationId: 'addNewsletterBlock',
          summary: 'Add a content block to a newsletter',
          description:
            'At `position`, counted from 1; without one, or past the end, at the end. A draft newsletter is in progress from then on. A newsletter has at most 200 blocks.',
          bodyExample: { content_block_id: example.content_block_id, position: 1 },
          responses: {
            201: {
              description: 'The position of the block.',
              example: { newsletter_block: example },
            },
          },
          responseHeaders: newsletterTag,
          errors: ['newsletter_sent', 'block_in_use'],
        }),
      },
    )
    .patch(
      '/blocks/reorder',
      ({ params: { id }, body: { block_ids: blockIds }, request, write }) =>
        write(async (ctx) => {
          const expected = expectedVersions(request)
          const ordered = await reorderBlocks(ctx, { id, blockIds, expected })
          const body = { newsletter_blocks: ordered.blocks }
          return { status: 200, body, headers: versionHeaders(ordered) }
        }),
      {
        access: change,
        body: BlockOrder,
        response: responses({ 200: NewsletterBlockList }),
        detail: document({
          operationId: 'reorderNewsletterBlocks',
          summary: 'Put the blocks of a newsletter into another order',
          description:
            '`block_ids` names every block of the newsletter once, in the order wanted: by its id in the newsletter (`nb_…`) or as a content block (`cb_…`).',
          bodyExample: { block_ids: [example.id] },
          requestHeaders: ifMatch,
          responses: {
            200: {
              description: 'The blocks in their order.',
              example: { newsletter_blocks: [example] },
            },
          },
          responseHeaders: entityTag,
          errors: ['newsletter_sent'],
        }),
      },
    )
    .get(
      '/blocks/:newsletter_block_id',
      async ({ ctx, params: { id, newsletter_block_id }, request, set }) => {
        const newsletter = await getNewsletter(ctx, id)
        const found = newsletter.blocks.find((block) => block.id === newsletter_block_id)
        if (!found) throw notFound('The newsletter block')
        setVersion(request, set, newsletter)
        return { newsletter_block: asNewsletterBlock(found) }
      },
      {
        access: { scope: 'read' },
        response: responses({ 200: NewsletterBlockResponse }),
        detail: document({
          operationId: 'getNewsletterBlock',
          summary: 'Show a block of a newsletter',
          responses: { 200: { description: 'The block.', example: { newsletter_block: example } } },
          responseHeaders: newsletterTag,
        }),
      },
    )
    .delete(
      '/blocks/:newsletter_block_id',
      ({ params: { id, newsletter_block_id: newsletterBlockId }, request, write }) =>
        write(async (ctx) => {
          await removeBlock(ctx, { id, newsletterBlockId, expected: expectedVersions(request) })
          return noContent
        }),
      {
        access: oneBlockChange,
        response: responses({ 204: NoContent }),
        detail: document({
          operationId: 'removeNewsletterBlock',
          summary: 'Remove a block from a newsletter',
          description: 'The content block stays in the library; later blocks move up.',
          requestHeaders: ifMatch,
          responses: { 204: { description: 'The block is no longer in the newsletter.' } },
          errors: ['newsletter_sent'],
        }),
      },
    )
    .post(
      '/compose',
      ({ params: { id }, body, write }) =>
        write(async (ctx) => {
          const newsletter = await composeNewsletter(ctx, { id, ...body })
          return { status: 200, body: { newsletter }, headers: versionHeaders(newsletter) }
        }),
      {
        access: change,
        body: Composition,
        response: responses({ 200: NewsletterResponse }),
        detail: document({
          operationId: 'composeNewsletter',
          summary: 'Fill a newsletter with the blocks that are ready',
          description:
            'Adds every block that is ready, not under embargo and in no other unsent newsletter, in the order of the template’s sections; with `limit`, the oldest of them. In a newsletter with elements, each is after the last block of its section of the template, or at the end when there is none.',
          bodyExample: { block_types: ['wins_milestones', 'new_starter'], limit: 12 },
          responses: {
            200: {
              description: 'The newsletter with its blocks.',
              example: { newsletter: exampleNewsletter },
            },
          },
          responseHeaders: entityTag,
          errors: ['newsletter_sent'],
        }),
      },
    )
