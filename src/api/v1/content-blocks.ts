import * as v from 'valibot'
import { BlockChange, NewBlock } from '../../contract/block-input.ts'
import { ContentBlock } from '../../contract/content-block.ts'
import { timestamp } from '../../contract/text.ts'
import { blockSources, blockStatuses, blockTypes } from '../../contract/vocabulary.ts'
import {
  createBlock,
  deleteBlock,
  getBlock,
  listBlocks,
  updateBlock,
} from '../../features/content-blocks/index.ts'
import { firstIdAt } from '../../lib/ids.ts'
import { etagOf } from '../../lib/versions.ts'
import { entityTag, expectedVersions, ifMatch } from '../conditions.ts'
import { requireMayReady } from '../gate.ts'
import {
  among,
  listAnswer,
  PageMeta,
  pageParameters,
  pageRequest,
  several,
  single,
} from '../list.ts'
import { type Answer, type Operation, operation } from '../operation.ts'

export const exampleBlock = {
  id: 'cb_019a9f3e2b7c7d10a3b4c5d6e7f80912',
  title: 'Version 2 is out',
  body: '<p>Search is twice as fast.</p>',
  body_format: 'html',
  block_type: 'wins_milestones',
  status: 'draft',
  source: 'webhook',
  event_slug: null,
  image_url: null,
  image_size: null,
  origin: {
    provider: 'github',
    external_id: 'github:release:123',
    url: 'https://github.com/acme/web/releases/tag/v2.0.0',
    author: null,
  },
  publish_after: null,
  api_key_name: 'GitHub',
  version: 1,
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: '2026-11-20T09:30:00.000Z',
} satisfies ContentBlock

const moment = v.optional(v.pipe(single, timestamp))

export const listContentBlocks = operation({
  method: 'GET',
  path: '/content_blocks',
  tag: 'Content blocks',
  summary: 'List content blocks, newest first',
  scope: 'read',
  query: v.object({
    ...pageParameters,
    status: among(blockStatuses),
    block_type: among(blockTypes),
    source: among(blockSources),
    event_slug: several(v.string()),
    q: v.optional(
      v.pipe(
        single,
        v.maxLength(200, 'must be at most 200 characters'),
        v.description('Words in title or body.'),
      ),
    ),
    created_after: v.pipe(moment, v.description('At this moment or later.')),
    created_before: v.pipe(moment, v.description('Before this moment.')),
  }),
  answers: {
    200: {
      description: 'A page of blocks.',
      schema: v.strictObject({ content_blocks: v.array(ContentBlock), meta: PageMeta }),
      example: {
        content_blocks: [exampleBlock],
        meta: { page: 1, per_page: 20, total: 1, total_pages: 1, next_cursor: null },
      },
    },
  },
  work: {
    async read(deps, call) {
      const { caller, query } = call
      const asked = pageRequest(deps, 'content_blocks', call)
      const filter = {
        status: query.status,
        blockType: query.block_type,
        source: query.source,
        eventSlug: query.event_slug,
        words: query.q?.trim() || null,
        fromId: query.created_after ? firstIdAt('cb', query.created_after) : null,
        beforeId: query.created_before ? firstIdAt('cb', query.created_before) : null,
      }
      const page = await listBlocks(deps.sql, caller.teamId, filter, asked)
      return listAnswer(deps, 'content_blocks', call, asked, page)
    },
  },
})

export const OneBlock = v.strictObject({ content_block: ContentBlock })
const oneBlock = { content_block: exampleBlock }
const agentBlock = { content_block: { ...exampleBlock, source: 'agent', origin: null } }

const answerOf = (block: ContentBlock): Answer => ({
  status: 200,
  headers: { etag: etagOf(block.version) },
  body: { content_block: block },
})

const find: Operation['find'] = ({ sql }, { caller, params }) =>
  getBlock(sql, caller.teamId, params['id'] ?? '')

export const showContentBlock = operation({
  method: 'GET',
  path: '/content_blocks/:id',
  tag: 'Content blocks',
  summary: 'Show a content block',
  scope: 'read',
  answers: { 200: { description: 'The block.', schema: OneBlock, example: oneBlock } },
  answerHeaders: entityTag,
  work: {
    async read({ sql }, { caller, params }) {
      return answerOf(await getBlock(sql, caller.teamId, params['id'] ?? ''))
    },
  },
})

export const createContentBlock = operation({
  method: 'POST',
  path: '/content_blocks',
  tag: 'Content blocks',
  summary: 'Create a content block',
  description: 'For tools that push events, use the ingest webhook instead: it never doubles.',
  scope: 'write',
  body: NewBlock,
  bodyExample: { title: 'Summer party', body: 'On the roof, from six.', status: 'draft' },
  answers: { 201: { description: 'The new block.', schema: OneBlock, example: agentBlock } },
  answerHeaders: entityTag,
  work: {
    async write({ now }, { caller, body }, tx) {
      requireMayReady(caller, body.status)
      const author = { teamId: caller.teamId, keyId: caller.keyId, source: 'agent' as const }
      const block = await createBlock(tx, now, author, body)
      const { headers, ...answer } = answerOf(block)
      const location = `/api/v1/content_blocks/${block.id}`
      return { ...answer, status: 201, headers: { ...headers, location } }
    },
  },
})

export const updateContentBlock = operation({
  method: 'PATCH',
  path: '/content_blocks/:id',
  tag: 'Content blocks',
  summary: 'Change a content block',
  description: 'Send only what changes. `used` is set by sending a newsletter, never by hand.',
  scope: 'write',
  body: BlockChange,
  bodyExample: { status: 'ready' },
  requestHeaders: ifMatch,
  answers: { 200: { description: 'The block as it is now.', schema: OneBlock, example: oneBlock } },
  answerHeaders: entityTag,
  errors: ['invalid_transition'],
  find,
  work: {
    async write({ now }, { caller, params, body, request }, tx) {
      requireMayReady(caller, body.status)
      const id = params['id'] ?? ''
      const expected = expectedVersions(request)
      return answerOf(await updateBlock(tx, now, caller.teamId, id, body, expected))
    },
  },
})

export const deleteContentBlock = operation({
  method: 'DELETE',
  path: '/content_blocks/:id',
  tag: 'Content blocks',
  summary: 'Delete a content block',
  scope: 'write',
  requestHeaders: ifMatch,
  answers: { 204: { description: 'The block is gone.' } },
  errors: ['block_in_use'],
  find,
  work: {
    async write(_, { caller, params, request }, tx) {
      await deleteBlock(tx, caller.teamId, params['id'] ?? '', expectedVersions(request))
      return { status: 204 }
    },
  },
})
