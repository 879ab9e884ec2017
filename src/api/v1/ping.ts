import { Elysia } from 'elysia'
import * as v from 'valibot'
import { scopes } from '../../contract/vocabulary.ts'
import type { Caller } from '../../features/api-keys/index.ts'
import { access } from '../access.ts'
import type { ApiDeps } from '../deps.ts'
import { document } from '../openapi/operation.ts'
import { responses } from '../response.ts'

export const PingResponse = v.strictObject({
  ping: v.strictObject({
    team: v.strictObject({ slug: v.string(), name: v.string() }),
    api_key: v.strictObject({
      name: v.string(),
      scopes: v.array(v.picklist(scopes)),
      ingest_only: v.boolean(),
      allow_auto_ready: v.boolean(),
      expires_at: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
    }),
  }),
})

/** `GET /ping`: says that a key works, and what it may do. */
export const ping = (deps: ApiDeps) =>
  new Elysia({ prefix: '/ping', tags: ['Team'] })
    .use(access(deps))
    .get('/', ({ caller }) => pingOf(caller), {
      access: { scope: 'any', allowIngestOnly: true },
      response: responses({ 200: PingResponse }),
      detail: document({
        operationId: 'ping',
        summary: 'Check a key',
        responses: { 200: { description: 'The key works.', example } },
      }),
    })

const pingOf = (caller: Caller) => ({
  ping: {
    team: caller.team,
    api_key: {
      name: caller.keyName,
      scopes: [...caller.scopes],
      ingest_only: caller.ingestOnly,
      allow_auto_ready: caller.allowAutoReady,
      expires_at: caller.expiresAt?.toISOString() ?? null,
    },
  },
})

const example = {
  ping: {
    team: { slug: 'acme', name: 'Acme' },
    api_key: {
      name: 'ci',
      scopes: ['read', 'write'],
      ingest_only: false,
      allow_auto_ready: true,
      expires_at: null,
    },
  },
}
