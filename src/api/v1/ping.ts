import { Elysia } from 'elysia'
import * as v from 'valibot'
import { described } from '../../contract/described.ts'
import { scopes } from '../../contract/vocabulary.ts'
import type { Caller } from '../../features/api-keys/index.ts'
import { access } from '../access.ts'
import type { ApiDeps } from '../deps.ts'
import { document } from '../openapi/operation.ts'
import { resource, responses } from '../response.ts'

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

export const ApiKey = v.strictObject({
  name: described(v.string(), 'The name of the key.', 'ci'),
  scopes: described(v.array(v.picklist(scopes)), 'What the key may do.', ['read', 'write']),
  ingest_only: described(v.boolean(), 'True when it may only call the ingest webhook.', false),
  allow_auto_ready: described(v.boolean(), 'True when it may mark blocks ready.', true),
  expires_at: described(
    v.nullable(v.pipe(v.string(), v.isoTimestamp())),
    'When the key expires; null when it does not.',
    '2027-01-31T00:00:00.000Z',
  ),
})

const Ping = v.strictObject({
  team: described(
    v.strictObject({
      slug: described(v.string(), 'The name of the team in addresses.', 'acme'),
      name: described(v.string(), 'The name of the team.', 'Acme'),
    }),
    'The team of the key.',
    example.ping.team,
  ),
  api_key: described(ApiKey, 'The key of the request.', example.ping.api_key),
})

export const PingResponse = resource({
  ping: described(Ping, 'What the key is and may do.', example.ping),
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
