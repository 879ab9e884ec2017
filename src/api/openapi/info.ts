import { malformedRequest } from './responses.ts'

/** What the document says beyond the operations. */

export const introduction = `
Tidings receives content from the tools that a team uses. People review it in a library and send it in
internal newsletters.

**Keys.** Every request needs an API key of one team: \`Authorization: Bearer <key>\`. A key has scopes:
\`read\`, \`write\`, \`send_preview\`. No scope implies another. A revoked key stops working immediately.

**Rate limit.** A key can make 60 requests in any 60 seconds. \`RateLimit\` in every response says how many
remain; above the limit, the response is 429 with \`Retry-After\`.

**Responses.** A single resource is wrapped in its singular name. A list is wrapped in its plural name, with
\`meta\` and a \`Link\` header. Lists show the newest first; read long ones with \`after\` and
\`meta.next_cursor\`. Ids are opaque strings, times are RFC 3339 in UTC. Fields can be added at any time:
ignore those that you do not know.

**Safe writes.** A POST can have an \`Idempotency-Key\`: the same request with the same key gets the first
response and changes nothing. A resource with a \`version\` also has an \`ETag\`; with \`If-Match\`, a change
succeeds only if nobody else made one since you read the resource.

**Errors** have one format, \`application/problem+json\` (RFC 9457); [all errors](/docs/errors) are explained.
Checks run in this order: key (401), rate limit (429), scope (403), existence (404), body (400, 413, 415,
422), state (409, 412). A known path with another method gets 405 with \`Allow\`.
`.trim()

/** Whom to ask is up to each installation: its own page says what there is to know. */
export const contactOf = (baseUrl: string) => ({
  name: 'The operator of this installation',
  url: `${baseUrl}/docs`,
})

export const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The key in the Authorization header.' },
  api_key: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: 'For tools that cannot set a header. Logs contain addresses: prefer the header.',
  },
}

export const serviceTag = {
  name: 'Service',
  description: 'The health of the service. No key is needed.',
}

const service = (
  operationId: string,
  { summary, description }: { summary: string; description: string },
  responses: object,
) => ({
  get: {
    operationId,
    tags: [serviceTag.name],
    summary,
    description,
    security: [],
    responses: { ...responses, ...malformedRequest },
  },
})

const reasonProperty = {
  type: 'string',
  description: 'Why the service cannot work, for people.',
  examples: ['The database does not answer.'],
}

const state = (statuses: string[], description: string, reason?: string) => ({
  description,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: {
          status: {
            type: 'string',
            enum: statuses,
            description: 'The state of the process, for programs.',
            examples: statuses.slice(0, 1),
          },
          ...(reason && { reason: reasonProperty }),
        },
        required: reason ? ['status', 'reason'] : ['status'],
      },
      example: { status: statuses[0], ...(reason && { reason }) },
    },
  },
})

const health = {
  summary: 'Check that the process is running',
  description: 'For restarts: it does not ask the database.',
}
const readiness = {
  summary: 'Check that the service can work',
  description:
    'For load balancers: the database responds and accepts changes, and all migrations are complete.',
}

/** The paths outside `/api/v1` that operators ask. */
export const servicePaths = {
  '/healthz': service('getHealth', health, { 200: state(['ok'], 'The process is running.') }),
  '/readyz': service('getReadiness', readiness, {
    200: state(['ready'], 'The service can work.'),
    503: state(
      ['database_unavailable', 'database_read_only', 'disk_full', 'stopping'],
      'The service cannot work; `reason` says why.',
      'The database does not answer.',
    ),
  }),
}
