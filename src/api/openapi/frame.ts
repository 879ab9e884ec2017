import { malformedRequest } from './responses.ts'

/** What the document says beyond the operations. */

export const introduction = `
Content comes in from the tools a team uses, lies in a library for people to review, and goes out in
internal newsletters.

**Keys.** Every call carries an API key of one team: \`Authorization: Bearer <key>\`. A key has scopes,
which do not imply each other: \`read\`, \`write\`, \`send_preview\`. A revoked key stops working at once.

**Limits.** A key may make 60 requests in any 60 seconds. \`RateLimit\` on every answer tells how many are
left; past them the answer is 429 with \`Retry-After\`.

**Answers.** One resource stands under its singular name, a list under its plural with \`meta\` and a
\`Link\` header. Lists show the newest first; read long ones with \`after\` and \`meta.next_cursor\`. Ids are
opaque strings, times are RFC 3339 in UTC. New members may come at any time: ignore what you do not know.

**Writing safely.** A POST may carry an \`Idempotency-Key\`: sent again with the same one, it gets the first
answer and does nothing twice. What has a \`version\` also has an \`ETag\`; with \`If-Match\` a change only
succeeds when nobody was faster.

**Errors** have one shape, \`application/problem+json\` (RFC 9457); [all of them](/docs/errors) are explained.
Checks run in this order: key (401), limit (429), scope (403), existence (404), body (400, 413, 415, 422),
state (409, 412). A known path with another method answers 405 with \`Allow\`.
`.trim()

export const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The key in the Authorization header.' },
  api_key: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: 'For tools that cannot set a header. Addresses end up in logs: prefer the header.',
  },
}

export const serviceTag = {
  name: 'Service',
  description: 'Is it up, and can it work? No key needed.',
}

const service = (operationId: string, summary: string, responses: object) => ({
  get: {
    ...{ operationId, tags: [serviceTag.name], summary, security: [] },
    responses: { ...responses, ...malformedRequest },
  },
})

const state = (status: string, description: string, reason?: string) => ({
  description,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: reason
          ? { status: { type: 'string' }, reason: { type: 'string' } }
          : { status: { const: status } },
        required: ['status'],
      },
      example: { status, ...(reason && { reason }) },
    },
  },
})

/** The paths outside `/api/v1` that operators ask. */
export const servicePaths = {
  '/healthz': service('getHealthz', 'Is the process up?', { 200: state('ok', 'It is.') }),
  '/readyz': service('getReadyz', 'Can it work?', {
    200: state('ready', 'The database answers.'),
    503: state(
      'database_unavailable',
      'It cannot; `reason` says why.',
      'The database does not answer.',
    ),
  }),
}
