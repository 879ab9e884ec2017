import * as v from 'valibot'
import { ContentBlock } from '../../contract/content-block.ts'
import { IngestPayload } from '../../contract/ingest.ts'
import { flag } from '../list.ts'
import { operation } from '../operation.ts'
import { exampleBlock } from './content-blocks.ts'

const IngestAnswer = v.strictObject({
  content_block: ContentBlock,
  duplicate: v.boolean(),
  warnings: v.array(v.string()),
})

const example = { content_block: exampleBlock, duplicate: false, warnings: [] }

/** The way in for every tool. */
export const ingest = operation({
  method: 'POST',
  path: '/webhooks/ingest',
  tag: 'Ingest',
  summary: 'Put a content block into the library',
  description:
    'One block per request. Send the same `external_id` or the same `Idempotency-Key` again and nothing is doubled: the answer is 200 with the first block. Unknown fields are ignored.',
  scope: 'write',
  forIngestOnly: true,
  query: v.object({
    dry_run: v.optional(
      v.pipe(
        flag,
        v.description('`true` answers with the block as it would be, and stores nothing.'),
      ),
    ),
  }),
  body: IngestPayload,
  bodyExample: {
    title: 'Version 2 is out',
    body: '<p>Search is twice as fast.</p>',
    block_type: 'wins_milestones',
    external_id: 'github:release:123',
    source_url: 'https://github.com/acme/web/releases/tag/v2.0.0',
  },
  answerHeaders: { Location: 'Where the block is.' },
  answers: {
    200: {
      description: 'Nothing new: the block was there already, or this was a dry run.',
      schema: IngestAnswer,
      example: { ...example, duplicate: true },
    },
    201: { description: 'The block lies in the library.', schema: IngestAnswer, example },
  },
  work: {
    async run({ ingest }, { caller, query, body, idempotency }) {
      if (query.dry_run) {
        const preview = await ingest.preview(caller, body)
        return { status: 200, body: { ...preview, duplicate: false } }
      }
      const { answer, duplicate, replayed } = await ingest.store(caller, body, idempotency)
      return {
        status: duplicate ? 200 : 201,
        headers: {
          location: `/api/v1/content_blocks/${answer.content_block.id}`,
          ...(replayed && { 'idempotent-replayed': 'true' }),
        },
        body: { content_block: answer.content_block, duplicate, warnings: answer.warnings },
      }
    },
  },
})
