import * as v from 'valibot'
import { scopes } from '../../contract/vocabulary.ts'
import { operation } from '../operation.ts'

const Ping = v.strictObject({
  team: v.strictObject({ slug: v.string(), name: v.string() }),
  api_key: v.strictObject({
    name: v.string(),
    scopes: v.array(v.picklist(scopes)),
    ingest_only: v.boolean(),
    allow_auto_ready: v.boolean(),
    expires_at: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
  }),
})

/** Tells a client that its key works, and what it may do. */
export const ping = operation({
  method: 'GET',
  path: '/ping',
  tag: 'Team',
  summary: 'Check a key',
  scope: 'any',
  forIngestOnly: true,
  answers: {
    200: {
      description: 'The key works.',
      schema: v.strictObject({ ping: Ping }),
      example: {
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
      },
    },
  },
  work: {
    // The key check has just read all of this: there is nothing to check again.
    async run(_deps, { caller }) {
      const api_key = {
        name: caller.keyName,
        scopes: caller.scopes,
        ingest_only: caller.ingestOnly,
        allow_auto_ready: caller.allowAutoReady,
        expires_at: caller.expiresAt?.toISOString() ?? null,
      }
      return { status: 200, body: { ping: { team: caller.team, api_key } } }
    },
  },
})
