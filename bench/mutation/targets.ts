/** Files whose mutants the named tests should notice. */
export interface Target {
  files: readonly string[]
  /** The cheapest first: each runs only when the ones before it have noticed nothing. */
  tests: readonly string[]
}

const apiKeys = (name: string) => `src/features/api-keys/${name}.ts`

/** The code that decides about data: key checks, limits, idempotency, ingest and deliveries. */
export const targets: readonly Target[] = [
  {
    files: ['authenticate', 'key-checks', 'check-sql'].map(apiKeys),
    tests: [
      'test/api/authentication.test.ts',
      'test/api/key-locks.test.ts',
      'test/api/revocation.test.ts',
    ],
  },
  {
    files: [apiKeys('keys'), apiKeys('sql')],
    tests: [
      'test/api/key-locks.test.ts',
      'test/cli.test.ts',
      'test/console/keys.test.ts',
      'test/api/revocation.test.ts',
    ],
  },
  {
    files: [
      'src/features/idempotency/index.ts',
      'src/features/idempotency/sql.ts',
      'src/api/error-reply.ts',
      'src/api/write.ts',
    ],
    tests: [
      'test/api/idempotency.test.ts',
      'test/features/idempotency.test.ts',
      'test/api/bulk-ingest.test.ts',
      'test/api/all-errors.test.ts',
      'test/api/ai-drafts.test.ts',
    ],
  },
  {
    files: ['incoming', 'ingest', 'sql'].map((name) => `src/features/ingest/${name}.ts`),
    tests: [
      'test/api/ingest.test.ts',
      'test/api/bulk-ingest.test.ts',
      'test/api/ingest-details.test.ts',
      'test/api/authentication.test.ts',
    ],
  },
  {
    files: ['deliveries', 'progress', 'sql', 'store'].map(
      (name) => `src/features/deliveries/${name}.ts`,
    ),
    tests: ['test/webhooks', 'test/forwarding', 'test/console/integrations.test.ts'],
  },
]
