import * as v from 'valibot'
import { ContentBlock } from '../../contract/content-block.ts'
import { timestamp } from '../../contract/text.ts'
import { blockSources, blockStatuses, blockTypes } from '../../contract/vocabulary.ts'
import { getBlock, listBlocks } from '../../features/blocks/index.ts'
import { firstIdAt } from '../../lib/ids.ts'
import {
  among,
  listAnswer,
  PageMeta,
  pageParameters,
  pageRequest,
  several,
  single,
} from '../list.ts'
import { operation } from '../operation.ts'

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
  async run(deps, call) {
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
})

export const showContentBlock = operation({
  method: 'GET',
  path: '/content_blocks/:id',
  tag: 'Content blocks',
  summary: 'Show a content block',
  scope: 'read',
  answers: {
    200: {
      description: 'The block.',
      schema: v.strictObject({ content_block: ContentBlock }),
      example: { content_block: exampleBlock },
    },
  },
  errors: ['not_found'],
  async run({ sql }, { caller, params }) {
    const block = await getBlock(sql, caller.teamId, params['id'] ?? '')
    return { status: 200, body: { content_block: block } }
  },
})
