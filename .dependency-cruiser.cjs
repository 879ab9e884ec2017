/** The layers: contract, locales and lib at the bottom, features above them, the top layers, integrations. See CONTRIBUTING.md. */
const rule = (name, from, to) => ({ name, severity: 'error', from, to })

module.exports = {
  forbidden: [
    rule('no-cycles', {}, { circular: true }),
    rule(
      'contract-imports-nothing',
      { path: '^src/contract/' },
      { path: '^(src/(?!contract/)|integrations/|test/)' },
    ),
    rule(
      'contract-imports-valibot-only',
      { path: '^src/contract/' },
      {
        path: 'node_modules/(?!valibot/)',
      },
    ),
    rule(
      'lib-imports-no-product-code',
      { path: '^src/(lib|embedded-postgres)/' },
      { path: '^(src/(?!lib/|embedded-postgres/)|integrations/|test/)' },
    ),
    rule(
      'locales-import-contract-only',
      { path: '^src/locales/' },
      { path: '^(src/(?!locales/|contract/)|integrations/|test/)' },
    ),
    rule(
      'features-import-no-top-layer',
      { path: '^src/features/' },
      { path: '^src/(?!features/|lib/|contract/|locales/)|^integrations/' },
    ),
    rule(
      'features-import-no-http-framework',
      { path: '^src/features/' },
      { path: 'node_modules/(elysia|@elysiajs|@slack)/' },
    ),
    rule(
      'features-import-public-interfaces',
      { path: '^src/features/([^/]+)' },
      { path: '^src/features/[^/]+/', pathNot: '^src/features/($1/|[^/]+/index\\.ts$)' },
    ),
    rule(
      'top-layers-import-public-interfaces',
      { path: '^src/(api|webhooks|forwarding|jobs|console|cli)/' },
      { path: '^src/features/[^/]+/(?!index\\.ts$)' },
    ),
    rule(
      'top-layers-are-independent',
      { path: '^src/(api|webhooks|forwarding|console|cli)/' },
      // Commands run an adapter as the webhook routes do.
      {
        path: '^src/(api|webhooks|forwarding|console|cli)/',
        pathNot: '^src/($1/|(webhooks|forwarding)/index\\.ts$)',
      },
    ),
    rule(
      'only-commands-import-webhooks-and-forwarding',
      { path: '^src/(api|console)/' },
      { path: '^src/(webhooks|forwarding)/' },
    ),
    rule(
      'jobs-import-no-other-top-layer',
      { path: '^src/jobs/' },
      { path: '^src/(api|webhooks|forwarding|cli)/|^src/console/(?!index\\.ts$)|^integrations/' },
    ),
    rule(
      'config-and-observability-import-no-top-layer',
      { path: '^src/(config|metrics|tracing)/' },
      { path: '^src/(api|webhooks|forwarding|jobs|console|cli)/|^integrations/' },
    ),
    rule(
      'no-sql-in-top-layers',
      { path: '^src/(api|webhooks|forwarding|jobs|console|cli)/' },
      { path: 'node_modules/postgres/' },
    ),
    rule(
      'integrations-import-contract-only',
      { path: '^integrations/' },
      { path: '^(src/(?!contract/|locales/)|test/)' },
    ),
    rule(
      'adapters-are-independent',
      { path: '^integrations/([^/]+)/' },
      { path: '^integrations/', pathNot: '^integrations/($1|kit)/' },
    ),
    rule(
      'only-webhooks-and-forwarding-import-integrations',
      {
        path: '^src/',
        pathNot:
          '^src/(webhooks/|forwarding/|cli/|main\\.ts$|cli\\.ts$|app\\.ts$|service-parts\\.ts$|server/long-bodies-thread\\.ts$)',
      },
      { path: '^integrations/' },
    ),
    rule('src-names-no-adapter', { path: '^src/' }, { path: '^integrations/(?!kit/)[^/]+/' }),
    rule('nothing-imports-tests', { pathNot: '^(test|bench)/' }, { path: '^test/' }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
}
