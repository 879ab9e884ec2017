import { Elysia, status } from 'elysia'
import { DraftRequest } from '../../contract/blocks/ai-draft.ts'
import { draftPath } from '../../features/ai-drafts/index.ts'
import { versionHeaders } from '../../lib/versions.ts'
import { access } from '../access.ts'
import { apiRequestOf } from '../authentication.ts'
import type { ApiDeps } from '../deps.ts'
import { exampleBlock } from '../openapi/examples/content-block.ts'
import { document, entityTag } from '../openapi/operation.ts'
import { responses } from '../response.ts'
import { ContentBlockResponse } from './content-blocks.ts'

/** A model takes longer than the 30 s in which other requests have to send their first byte. */
const timeoutSeconds = 90

/** `POST /content_blocks/ai_draft`: a model writes a block. */
export const aiDrafts = (deps: ApiDeps) =>
  new Elysia({ prefix: '/content_blocks', tags: ['Content blocks'] }).use(access(deps)).post(
    '/ai_draft',
    async ({ ctx, body, request, server, set }) => {
      server?.timeout(request, timeoutSeconds)
      const idempotencyKey = apiRequestOf(request).idempotent?.idempotencyKey ?? null
      const input = { request: body, idempotencyKey, signal: request.signal }
      const { block, warnings, replayed } = await deps.drafts.create(ctx, input)
      set.headers['location'] = `/api/v1/content_blocks/${block.id}`
      Object.assign(set.headers, versionHeaders(block))
      if (replayed) set.headers['idempotent-replayed'] = 'true'
      return status(201, { content_block: block, ...(warnings.length > 0 && { warnings }) })
    },
    {
      access: { scope: 'write', idempotencyPath: draftPath },
      body: DraftRequest,
      response: responses({ 201: ContentBlockResponse }),
      detail: document({
        operationId: 'draftContentBlock',
        summary: 'Have a content block drafted',
        description:
          'A model writes a draft from `context`, for a person to review. It can take half a minute, and counts against the team’s drafts of the calendar month only when it succeeds. Images are never part of a draft, and links only where `context` names their address.',
        bodyExample: {
          context: 'Ada joined the platform team on Monday. She wrote compilers before.',
        },
        responses: {
          201: {
            description: 'The new draft.',
            example: { content_block: { ...exampleBlock, source: 'ai_draft', origin: null } },
          },
        },
        responseHeaders: entityTag,
        errors: [
          'ai_limit_reached',
          'ai_unavailable',
          'idempotency_key_reused',
          'request_in_progress',
        ],
      }),
    },
  )
