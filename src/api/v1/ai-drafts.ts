import { DraftRequest } from '../../contract/ai-draft.ts'
import { etagOf } from '../../lib/versions.ts'
import { operation } from '../operation.ts'
import { exampleBlock, OneBlock } from './content-blocks.ts'

export const draftContentBlock = operation({
  method: 'POST',
  path: '/content_blocks/ai_draft',
  tag: 'Content blocks',
  summary: 'Have a content block drafted',
  description:
    'A model writes a draft from `context`, for a person to review. It may take half a minute, and counts against the team’s drafts of the calendar month only when it succeeds. Images are never part of a draft, and links only where `context` names their address.',
  scope: 'write',
  timeoutSeconds: 90,
  body: DraftRequest,
  requestHeaders: {
    'Idempotency-Key': 'Makes a repeated request harmless for at least 24 hours.',
  },
  answers: {
    201: {
      description: 'The new draft.',
      schema: OneBlock,
      example: { content_block: { ...exampleBlock, source: 'ai_draft', origin: null } },
    },
  },
  errors: ['ai_limit_reached', 'ai_unavailable', 'idempotency_key_reused', 'request_in_progress'],
  work: {
    async run({ drafts }, { caller, body, idempotency, request }) {
      const { block, replayed } = await drafts.create(caller, body, idempotency, request.signal)
      const seen = replayed ? { 'idempotent-replayed': 'true' } : { etag: etagOf(block.version) }
      const location = `/api/v1/content_blocks/${block.id}`
      return { status: 201, headers: { location, ...seen }, body: { content_block: block } }
    },
  },
})
