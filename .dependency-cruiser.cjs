/** The house: contract and lib, features above them, the surfaces on top. See design.md's table. */
const rule = (name, from, to) => ({ name, severity: 'error', from, to })

module.exports = {
  forbidden: [
    rule('no-cycles', {}, { circular: true }),
    rule(
      'contract-is-a-leaf',
      { path: '^src/contract/' },
      { path: '^(src/(?!contract/)|integrations/|test/)' },
    ),
    rule(
      'contract-knows-valibot-only',
      { path: '^src/contract/' },
      {
        path: 'node_modules/(?!valibot/)',
      },
    ),
    rule(
      'lib-knows-no-product',
      { path: '^src/(lib|embedded-postgres)/' },
      { path: '^(src/(?!lib/|embedded-postgres/)|integrations/|test/)' },
    ),
    rule(
      'messages-know-contract-only',
      { path: '^src/messages/' },
      { path: '^(src/(?!messages/|contract/)|integrations/|test/)' },
    ),
    rule(
      'features-know-no-surface',
      { path: '^src/features/' },
      { path: '^src/(?!features/|lib/|contract/|messages/)|^integrations/' },
    ),
    rule(
      'features-know-no-http',
      { path: '^src/features/' },
      { path: 'node_modules/(elysia|@elysiajs|@slack)/' },
    ),
    rule(
      'feature-front-door',
      { path: '^src/features/([^/]+)' },
      { path: '^src/features/[^/]+/', pathNot: '^src/features/($1/|[^/]+/index\\.ts$)' },
    ),
    rule(
      'surface-uses-front-door',
      { path: '^src/(api|webhooks|forwarding|console|cli)/' },
      { path: '^src/features/[^/]+/(?!index\\.ts$)' },
    ),
    rule(
      'surfaces-are-strangers',
      { path: '^src/(api|webhooks|forwarding|console|cli)/' },
      // A command tries an adapter out the way the hooks do.
      {
        path: '^src/(api|webhooks|forwarding|console|cli)/',
        pathNot: '^src/($1/|(webhooks|forwarding)/index\\.ts$)',
      },
    ),
    rule(
      'webhooks-and-forwarding-are-for-commands',
      { path: '^src/(api|console)/' },
      { path: '^src/(webhooks|forwarding)/' },
    ),
    rule(
      'no-sql-in-surfaces',
      { path: '^src/(api|webhooks|forwarding|console|cli)/' },
      { path: 'node_modules/postgres/' },
    ),
    rule(
      'integrations-see-contract-only',
      { path: '^integrations/' },
      { path: '^(src/(?!contract/|messages/)|test/)' },
    ),
    rule(
      'adapters-are-strangers',
      { path: '^integrations/([^/]+)/' },
      { path: '^integrations/', pathNot: '^integrations/($1|kit)/' },
    ),
    rule(
      'only-webhooks-and-forwarding-import-integrations',
      {
        path: '^src/',
        pathNot: '^src/(webhooks/|forwarding/|cli/|main\\.ts$|cli\\.ts$|app\\.ts$|service\\.ts$)',
      },
      { path: '^integrations/' },
    ),
    rule('nobody-names-an-adapter', { path: '^src/' }, { path: '^integrations/(?!kit/)[^/]+/' }),
    rule('nothing-imports-test', { pathNot: '^(test|bench)/' }, { path: '^test/' }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
}
