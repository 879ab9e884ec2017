import { Elysia } from 'elysia'
import * as v from 'valibot'
import { ContentBlock } from '../../contract/blocks/content-block.ts'
import { BlockChange, NewBlock } from '../../contract/blocks/input.ts'
import { described } from '../../contract/described.ts'
import {
  type BlockFilter,
  collectRemovals,
  createBlock,
  deleteBlock,
  findBlockErrors,
  getBlock,
  listBlocks,
  requireBodyFits,
  updateBlock,
} from '../../features/content-blocks/index.ts'
import { listEventWarnings } from '../../features/events/index.ts'
import { createSharedReads } from '../../lib/concurrency/shared-reads.ts'
import type { Context, ReadContext } from '../../lib/context.ts'
import { inputErrorsOf } from '../../lib/errors.ts'
import { type Removal, removalWarnings } from '../../lib/html/removals.ts'
import { listPositionOf } from '../../lib/lists/list-order.ts'
import type { PageRequest } from '../../lib/lists/pagination.ts'
import { validPartOf } from '../../lib/parse.ts'
import { versionHeaders } from '../../lib/versions.ts'
import { type Access, access, requireAutoReadyPermission } from '../access.ts'
import { expectedVersions, setVersion } from '../conditional-requests.ts'
import type { ApiDeps } from '../deps.ts'
import { exampleMeta, listMetaField, paginate } from '../list.ts'
import { exampleBlock } from '../openapi/examples/content-block.ts'
import { document, entityTag, ifMatch } from '../openapi/operation.ts'
import { NoContent, noContent, resource, responses } from '../response.ts'
import { BlockQuery, filterOf } from './content-block-query.ts'

export const ContentBlockResponse = resource({
  content_block: described(ContentBlock, 'The content block.', exampleBlock),
})
export const ContentBlockList = v.strictObject({
  content_blocks: described(v.array(ContentBlock), 'The blocks of this page.', [exampleBlock]),
  meta: listMetaField,
})

const oneBlock = { content_block: exampleBlock }
const agentBlock = { content_block: { ...exampleBlock, source: 'agent', origin: null } }

const addressOf = ({ id }: { id: string }) => `/api/v1/content_blocks/${id}`

/** Warnings for an event that the team does not have, and for words of the text that were removed. */
async function changeWarnings(
  ctx: Context,
  { event_slug }: BlockChange,
  removals: readonly Removal[],
): Promise<{ warnings?: string[] }> {
  const unknownEvent = event_slug ? await listEventWarnings(ctx, event_slug) : []
  const warnings = [...unknownEvent, ...removalWarnings('body', removals)]
  return warnings.length > 0 ? { warnings } : {}
}

const findErrors: NonNullable<Access['findErrors']> = (_, input) => findBlockErrors(input)

const change: Access = {
  scope: 'write',
  requireResource: (ctx, { id = '' }) => getBlock(ctx, id),
}

const findChangeErrors: NonNullable<Access['findErrors']> = async (ctx, input, { id = '' }) => {
  const { body } = validPartOf(BlockChange, input)
  const tooLong = await inputErrorsOf(() => requireBodyFits(ctx, { id, body }))
  return tooLong.length > 0 ? tooLong : await findBlockErrors(input)
}

/** A page of a team's blocks that a key asks for. */
interface BlockList {
  ctx: ReadContext
  keyId: string
  filter: BlockFilter
  page: PageRequest
}

/** Reads pages of blocks. Programs of a team that ask for one page at the same moment share the statement. */
const createBlockReads = () =>
  createSharedReads({
    keyOf: ({ ctx, filter, page }: BlockList) => JSON.stringify([ctx.actor.teamId, filter, page]),
    async read(lists) {
      const [first] = lists
      const keyIds = lists.map(({ keyId }) => keyId)
      return await listBlocks(first.ctx, { ...first, keyIds })
    },
  })

/** `/content_blocks`: the library. */
export const contentBlocks = (deps: ApiDeps) => {
  const readBlocks = createBlockReads()
  return new Elysia({ prefix: '/content_blocks', tags: ['Content blocks'] })
    .use(access(deps))
    .get(
      '/',
      async ({ caller, ctx, query, request, set }) => {
        const filter = filterOf(query)
        const { sort } = filter
        const context = { caller, query, request, set }
        const { items, meta } = await paginate(deps, context, {
          name: 'content_blocks',
          sort,
          parameters: BlockQuery,
          fields: ContentBlock,
          load: (page) => readBlocks({ ctx, keyId: caller.keyId, filter, page }),
          positionOf: (block) => listPositionOf(sort, block),
        })
        return { content_blocks: items, meta }
      },
      {
        access: { scope: 'read' },
        query: BlockQuery,
        response: responses({ 200: ContentBlockList }),
        detail: document({
          operationId: 'listContentBlocks',
          summary: 'List content blocks, newest first',
          description:
            'To follow all changes, read `sort=updated_at` with `updated_after`, and continue from the last `updated_at`. To find the block of an item of your tool, give its `external_id`.',
          responses: {
            200: {
              description: 'A page of blocks.',
              example: { content_blocks: [exampleBlock], meta: exampleMeta },
            },
          },
        }),
      },
    )
    .get(
      '/:id',
      async ({ ctx, params, request, set }) => {
        const block = await getBlock(ctx, params.id)
        setVersion(request, set, block)
        return { content_block: block }
      },
      {
        access: { scope: 'read' },
        response: responses({ 200: ContentBlockResponse }),
        detail: document({
          operationId: 'getContentBlock',
          summary: 'Show a content block',
          responses: { 200: { description: 'The block.', example: oneBlock } },
          responseHeaders: entityTag,
        }),
      },
    )
    .post(
      '/',
      ({ caller, body, write }) =>
        write(async (ctx) => {
          requireAutoReadyPermission(caller, body.status)
          const { convert, removals } = collectRemovals(deps.bodyConversion)
          const block = await createBlock(ctx, { ...body, convert })
          const headers = { ...versionHeaders(block), location: addressOf(block) }
          const warnings = await changeWarnings(ctx, body, removals)
          return { status: 201, body: { content_block: block, ...warnings }, headers }
        }),
      {
        access: { scope: 'write', findErrors },
        body: NewBlock,
        response: responses({ 201: ContentBlockResponse }),
        detail: document({
          operationId: 'createContentBlock',
          summary: 'Create a content block',
          description:
            'For tools that push events, use the ingest webhook instead: it never duplicates.',
          bodyExample: { title: 'Summer party', body: 'On the roof, from six.', status: 'draft' },
          responses: { 201: { description: 'The new block.', example: agentBlock } },
          responseHeaders: entityTag,
        }),
      },
    )
    .patch(
      '/:id',
      ({ caller, params, body, request, write }) =>
        write(async (ctx) => {
          requireAutoReadyPermission(caller, body.status)
          await requireBodyFits(ctx, { id: params.id, body: body.body })
          const { convert, removals } = collectRemovals(deps.bodyConversion)
          const block = await updateBlock(ctx, {
            id: params.id,
            change: body,
            convert,
            expected: expectedVersions(request),
            draftsOnly: !caller.allowAutoReady,
          })
          const warnings = await changeWarnings(ctx, body, removals)
          const headers = versionHeaders(block)
          return { status: 200, body: { content_block: block, ...warnings }, headers }
        }),
      {
        access: { ...change, findErrors: findChangeErrors },
        body: BlockChange,
        response: responses({ 200: ContentBlockResponse }),
        detail: document({
          operationId: 'updateContentBlock',
          summary: 'Change a content block',
          description:
            'Send only what changes. `used` is set by sending a newsletter, never by hand.',
          bodyExample: { status: 'ready' },
          requestHeaders: ifMatch,
          responses: { 200: { description: 'The block as it is now.', example: oneBlock } },
          responseHeaders: entityTag,
          errors: ['invalid_transition'],
        }),
      },
    )
    .delete(
      '/:id',
      ({ params, request, write }) =>
        write(async (ctx) => {
          await deleteBlock(ctx, { id: params.id, expected: expectedVersions(request) })
          return noContent
        }),
      {
        access: change,
        response: responses({ 204: NoContent }),
        detail: document({
          operationId: 'deleteContentBlock',
          summary: 'Delete a content block',
          requestHeaders: ifMatch,
          responses: { 204: { description: 'The block is deleted.' } },
          errors: ['block_in_use'],
        }),
      },
    )
}
