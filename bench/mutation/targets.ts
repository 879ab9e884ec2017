/** Files whose mutants the named tests should notice. */
export interface Target {
  name: string
  files: readonly string[]
  /** Each group runs in one process, the cheapest first; the next runs when no test has failed. */
  tests: readonly (readonly string[])[]
}

const apiKeys = (name: string) => `src/features/api-keys/${name}.ts`
const ingest = (name: string) => `src/features/ingest/${name}.ts`
const deliveries = (name: string) => `src/features/deliveries/${name}.ts`
const idempotency = (name: string) => `src/features/idempotency/${name}.ts`

/** The code that decides about data: key checks, limits, idempotency, ingest and deliveries. */
export const targets: readonly Target[] = [
  {
    name: 'limits',
    files: ['key-checks', 'key-checks-sql', 'rate-limit'].map(apiKeys),
    tests: [
      ['test/api/keys/authentication.test.ts', 'test/api/ingest/bulk-ingest.test.ts'],
      ['test/api/keys/key-locks.test.ts', 'test/api/keys/revocation.test.ts'],
    ],
  },
  {
    name: 'key checks',
    files: ['caller', 'token', 'key-lock', 'keys', 'sql', 'rotate'].map(apiKeys),
    tests: [
      [
        'test/features/api-keys.test.ts',
        'test/api/keys/authentication.test.ts',
        'test/api/keys/key-locks.test.ts',
        'test/console/settings/keys.test.ts',
      ],
      ['test/api/keys/revocation.test.ts', 'test/features/connections/connections.test.ts'],
      ['test/cli/cli.test.ts'],
    ],
  },
  {
    name: 'idempotency',
    files: [
      idempotency('index'),
      idempotency('sql'),
      idempotency('replayed-error'),
      'src/api/errors/reply.ts',
      'src/api/write.ts',
    ],
    tests: [
      [
        'test/api/ingest/idempotency.test.ts',
        'test/api/ingest/bulk-ingest.test.ts',
        'test/api/all-errors.test.ts',
      ],
      ['test/features/ingest/idempotency.test.ts', 'test/api/ai-drafts.test.ts'],
    ],
  },
  {
    name: 'ingest',
    files: ['store-in-batches', 'ingest', 'sql'].map(ingest),
    tests: [
      [
        'test/api/ingest',
        'test/api/ingest/bulk-ingest.test.ts',
        'test/features/ingest/ingest.test.ts',
      ],
      [
        'test/api/keys/authentication.test.ts',
        'test/api/keys/key-locks.test.ts',
        'test/api/keys/revocation.test.ts',
        'test/features/faults/database-faults.test.ts',
      ],
    ],
  },
  {
    name: 'deliveries',
    files: ['list', 'purge', 'progress', 'replay', 'sql', 'list-sql', 'store'].map(deliveries),
    tests: [
      ['test/features/connections/deliveries.test.ts'],
      ['test/webhooks/receive.test.ts', 'test/webhooks/excluded-events.test.ts'],
      ['test/forwarding/forwarder.test.ts', 'test/console/integrations/integrations.test.ts'],
    ],
  },
]
