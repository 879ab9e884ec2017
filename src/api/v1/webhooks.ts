import { Elysia, status } from 'elysia'
import * as v from 'valibot'
import { ContentBlock } from '../../contract/blocks/content-block.ts'
import { type IngestItem, IngestPayload } from '../../contract/blocks/ingest.ts'
import { described } from '../../contract/described.ts'
import { type IngestResult, ingestPath } from '../../features/ingest/index.ts'
import { AppError } from '../../lib/errors.ts'
import { versionHeaders } from '../../lib/versions.ts'
import { access } from '../access.ts'
import { type ApiRequest, apiRequestOf, requireCheck } from '../authentication.ts'
import type { ApiDeps } from '../deps.ts'
import {
  maxRequestBytes,
  type ReadBody,
  readJson,
  unknownParameters,
  withoutEmptyFields,
} from '../input.ts'
import { exampleBlock } from '../openapi/examples/content-block.ts'
import { document, entityTag } from '../openapi/operation.ts'
import { booleanParameter } from '../parameters.ts'
import { maxImageBodyBytes } from '../request-bodies/image.ts'
import { imageWarnings, storeItemImage } from '../request-bodies/ingest-image.ts'
import { createReadAhead, validateOnce } from '../request-bodies/read-ahead.ts'
import { responses } from '../response.ts'

export const IngestResponse = v.strictObject({
  content_block: described(ContentBlock, 'The block of the item.', exampleBlock),
  duplicate: described(v.boolean(), 'True when the item was known already.', false),
  warnings: described(v.array(v.string()), 'What to look at, one sentence each.', []),
})

const example = { content_block: exampleBlock, duplicate: false, warnings: [] }

const bodyExample = {
  title: 'Version 2 is out',
  body: '<p>Search is twice as fast.</p>',
  block_type: 'wins_milestones',
  external_id: 'github:release:123',
  source_url: 'https://github.com/acme/web/releases/tag/v2.0.0',
} satisfies IngestPayload

export const IngestQuery = v.object({
  dry_run: v.optional(
    described(
      booleanParameter,
      '`true` responds with the block as it would be, and stores nothing.',
      false,
    ),
  ),
})

const Body = validateOnce(IngestPayload)

/** The body of `POST /webhooks/ingest`. */
export const ingestBody = createReadAhead(
  readIngestBody,
  (json) => void Body['~standard'].validate(json),
)

/** `POST /webhooks/ingest`: how every tool creates content blocks. */
export const webhooks = (deps: ApiDeps) =>
  new Elysia({ prefix: '/webhooks', tags: ['Ingest'] }).use(access(deps)).post(
    '/ingest',
    async ({ query, body, request, set }) => {
      const unknown = unknownParameters(request, IngestQuery)
      const known = apiRequestOf(request)
      const stored = await storeUnchecked(deps, known, body)
      await requireCheck(known)
      const { caller, idempotencyKey } = known
      if (query.dry_run) {
        const preview = await deps.ingest.preview(caller, { item: body, idempotencyKey })
        const warnings = [...unknown, ...imageWarnings(body), ...preview.warnings]
        return { ...preview, warnings }
      }
      const { image: source } = body
      const item =
        typeof source === 'string'
          ? await storeItemImage(deps, { request, caller, source }, { item: body, idempotencyKey })
          : { item: body }
      const { response, duplicate, replayed } =
        stored ?? (await deps.ingest.store(caller, { ...item, idempotencyKey }))
      Object.assign(set.headers, versionHeaders(response.content_block))
      set.headers['location'] = `/api/v1/content_blocks/${response.content_block.id}`
      if (replayed) set.headers['idempotent-replayed'] = 'true'
      const { content_block } = response
      const warnings = [...unknown, ...response.warnings]
      return status(duplicate ? 200 : 201, { content_block, duplicate, warnings })
    },
    {
      access: {
        scope: 'write',
        allowIngestOnly: true,
        readBody: ingestBody.readBody,
        idempotencyPath: ingestPath,
        hasDryRun: true,
        findErrors: (_: unknown, input: Readonly<Record<string, unknown>>) =>
          deps.ingest.findErrors(input),
      },
      query: IngestQuery,
      body: Body,
      response: responses({ 200: IngestResponse, 201: IngestResponse }),
      detail: document({
        operationId: 'ingest',
        summary: 'Put a content block into the library',
        description:
          'One block per request. Send the same `external_id` or the same `Idempotency-Key` again and nothing is duplicated: the response is 200 with the first block. `image` is fetched, or decoded from a data URI, and stored as `POST /images` does it; when that fails, the block is stored without it and `warnings` says why. The body has at most 256 KiB beside the `image`. Unknown fields are ignored.',
        bodySchema: IngestPayload,
        bodyExample,
        maxBodyBytes: maxImageBodyBytes,
        responseHeaders: { ...entityTag, Location: 'The address of the block.' },
        responses: {
          200: {
            description: 'Nothing new: the block existed already, or this was a dry run.',
            example: { ...example, duplicate: true },
          },
          201: { description: 'The block is in the library.', example },
        },
      }),
    },
  )

/**
 * Stores an item in the statement that checks the key of its request. Returns undefined when this is not
 * possible, or has to be settled: the request may then still be unchecked.
 */
async function storeUnchecked(
  { ingest }: ApiDeps,
  known: ApiRequest,
  item: IngestItem,
): Promise<IngestResult | undefined> {
  const { unchecked } = known
  const { image, event_slug, auto_ready } = item
  if (!unchecked || typeof image === 'string' || event_slug || auto_ready) return undefined
  const write = await ingest.storeUnchecked(unchecked.key, item)
  if (!write) return undefined
  known.unchecked = null
  unchecked.accept(write.rateLimit)
  return write.result
}

/**
 * Reads the body of an item, without empty optional fields. It may be larger than other bodies by an
 * image as data URI. Throws `too_large` before it buffers a large body without one.
 */
async function readIngestBody(request: Request): ReturnType<ReadBody> {
  const read = await readJson(request, maxRequestBytes, {
    limit: maxImageBodyBytes,
    appliesTo: (start) => /"image"\s*:\s*"data:/i.test(start.toString('latin1')),
  })
  const image = imageOf(read.json)
  if (read.bytes.length - image.length > maxRequestBytes) {
    const limit = `${maxRequestBytes / 1024} KiB`
    throw new AppError('too_large', `The body is larger than ${limit} without its image.`)
  }
  return { ...read, json: withoutEmptyFields(read.json) }
}

const imageOf = (json: unknown): string =>
  typeof json === 'object' && json !== null && 'image' in json && typeof json.image === 'string'
    ? json.image
    : ''
