import * as v from 'valibot'
import { NewsletterBlock } from '../../contract/newsletter.ts'
import { BlockOrder, BlockPlacement, Composition } from '../../contract/newsletter-input.ts'
import {
  addBlock,
  composeNewsletter,
  removeBlock,
  reorderBlocks,
} from '../../features/newsletters/index.ts'
import { etagOf } from '../../lib/versions.ts'
import { entityTag, expectedVersions, ifMatch } from '../conditions.ts'
import { operation } from '../operation.ts'
import {
  exampleNewsletter,
  findNewsletter,
  newsletterAnswer,
  OneNewsletter,
} from './newsletters.ts'

const example = {
  id: 'nb_019a9f3f41c57e02b1d2c3b4a5968778',
  position: 1,
  content_block_id: 'cb_019a9f3e2b7c7d10a3b4c5d6e7f80912',
  content_block_title: 'Version 2 is out',
} satisfies NewsletterBlock

export const addNewsletterBlock = operation({
  method: 'POST',
  path: '/newsletters/:id/blocks',
  tag: 'Newsletters',
  summary: 'Put a content block into a newsletter',
  description:
    'At `position`, counted from 1; without one, or past the end, at the end. A draft newsletter is in progress from then on.',
  scope: 'write',
  body: BlockPlacement,
  bodyExample: { content_block_id: example.content_block_id, position: 1 },
  answers: {
    201: {
      description: 'The place of the block.',
      schema: v.strictObject({ newsletter_block: NewsletterBlock }),
      example: { newsletter_block: example },
    },
  },
  errors: ['newsletter_sent', 'block_in_use'],
  find: findNewsletter,
  work: {
    async write({ now }, { caller, params, body }, tx) {
      const id = params['id'] ?? ''
      const place = await addBlock(tx, now, caller.teamId, id, body)
      return {
        status: 201,
        headers: { location: `/api/v1/newsletters/${id}/blocks/${place.id}` },
        body: { newsletter_block: place },
      }
    },
  },
})

export const reorderNewsletterBlocks = operation({
  method: 'PATCH',
  path: '/newsletters/:id/blocks/reorder',
  tag: 'Newsletters',
  summary: 'Put the blocks of a newsletter into another order',
  description:
    '`block_ids` names every block of the newsletter once, in the order wanted: by its id in the newsletter (`nb_…`) or as a content block (`cb_…`).',
  scope: 'write',
  body: BlockOrder,
  bodyExample: { block_ids: [example.id] },
  requestHeaders: ifMatch,
  answers: {
    200: {
      description: 'The blocks in their order.',
      schema: v.strictObject({ newsletter_blocks: v.array(NewsletterBlock) }),
      example: { newsletter_blocks: [example] },
    },
  },
  answerHeaders: entityTag,
  errors: ['newsletter_sent'],
  find: findNewsletter,
  work: {
    async write({ now }, { caller, params, body, request }, tx) {
      const id = params['id'] ?? ''
      const expected = expectedVersions(request)
      const ordered = await reorderBlocks(tx, now, caller.teamId, id, body.block_ids, expected)
      return {
        status: 200,
        headers: { etag: etagOf(ordered.version) },
        body: { newsletter_blocks: ordered.blocks },
      }
    },
  },
})

export const removeNewsletterBlock = operation({
  method: 'DELETE',
  path: '/newsletters/:id/blocks/:newsletter_block_id',
  tag: 'Newsletters',
  summary: 'Take a block out of a newsletter',
  description: 'The content block stays in the library; the places behind it close up.',
  scope: 'write',
  requestHeaders: ifMatch,
  answers: { 204: { description: 'The block is out of the newsletter.' } },
  errors: ['newsletter_sent'],
  find: findNewsletter,
  work: {
    async write({ now }, { caller, params, request }, tx) {
      const [id, placeId] = [params['id'] ?? '', params['newsletter_block_id'] ?? '']
      await removeBlock(tx, now, caller.teamId, id, placeId, expectedVersions(request))
      return { status: 204 }
    },
  },
})

export const composeNewsletterOperation = operation({
  method: 'POST',
  path: '/newsletters/:id/compose',
  tag: 'Newsletters',
  summary: 'Fill a newsletter up with what is ready',
  description:
    'Adds every block that is ready, not under embargo and in no other unsent newsletter, in the order of the template’s sections; with `limit`, the oldest of them.',
  scope: 'write',
  body: Composition,
  bodyExample: { block_types: ['wins_milestones', 'new_starter'], limit: 12 },
  answers: {
    200: {
      description: 'The newsletter with its blocks.',
      schema: OneNewsletter,
      example: { newsletter: exampleNewsletter },
    },
  },
  answerHeaders: entityTag,
  errors: ['newsletter_sent'],
  find: findNewsletter,
  work: {
    async write({ now }, { caller, params, body }, tx) {
      const id = params['id'] ?? ''
      return newsletterAnswer(await composeNewsletter(tx, now, caller.teamId, id, body))
    },
  },
})
