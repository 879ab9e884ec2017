import { swagger } from '@elysiajs/swagger'
import { Elysia } from 'elysia'
import { version } from '../../../package.json'
import { assetResponse } from '../../lib/assets.ts'
import {
  defaultHeaders,
  methodNotAllowed,
  type RouteGroup,
  replyWithProblem,
} from '../../lib/http/index.ts'
import { openApiDocument } from '../openapi/document.ts'
import type { Operation } from '../openapi/operation.ts'
import { namedSchemas } from '../v1/schemas.ts'
import { findDocsAssets } from './assets.ts'
import { errorsPage, links } from './errors-page.ts'

/** The plugin's page passes its configuration in a script element that contains only white space. */
const blankScript = "'sha256-TcUB1mzXiQO4GxpTRZ0EMpOXKMU3u+n/q1WrgVIcs1I='"

const strict = "script-src 'self'; style-src 'self'"
const forPlugin = `script-src 'self' ${blankScript}; style-src 'self' 'unsafe-inline'`

const policy = (sources: string) =>
  [
    "default-src 'none'",
    sources,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The docs as `lib/http` serves them. Only the page of the plugin may have inline styles. */
export function docsRouteGroups(baseUrl: string): RouteGroup[] {
  const routeGroup = (prefix: string, sources: string): RouteGroup => ({
    name: 'docs',
    prefix,
    headers: {
      ...defaultHeaders(baseUrl),
      'cache-control': 'no-cache',
      'content-security-policy': policy(sources),
      'cross-origin-opener-policy': 'same-origin',
    },
    replyToError: replyWithProblem,
  })
  return [
    routeGroup('/docs/', strict),
    routeGroup('/docs', forPlugin),
    routeGroup('/openapi.json', strict),
  ]
}

interface DocsOptions {
  /** How clients reach the service, without a slash at the end. */
  baseUrl: string
  operations: readonly Operation[]
}

/**
 * The pages that need no key: `/docs`, `/docs/errors`, their files, `/openapi.json`. The plugin
 * cannot read Valibot schemas, so all routes are excluded and the document is passed to it. Its page
 * loads our viewer, Swagger UI, where it would load Scalar from another host.
 */
export function createDocs({ baseUrl, operations }: DocsOptions) {
  const assets = findDocsAssets()
  const documentation = openApiDocument(operations, { baseUrl, version, schemas: namedSchemas })
  const styles = [assets['swagger-ui.css'].path, assets['docs.css'].path]
  // The page reads `styles` and `links`; the plugin passes on all settings.
  const scalarConfig = { spec: { url: '/openapi.json' }, customCss: '', styles, links }
  const app = new Elysia()
    .use(
      swagger({
        path: '/docs',
        specPath: '/openapi.json',
        scalarCDN: assets['viewer.js'].path,
        exclude: [/.*/],
        documentation: asPluginDocument(documentation),
        scalarConfig,
      }),
    )
    .get('/docs/errors', ({ set }) => {
      set.headers['content-type'] = 'text/html; charset=utf-8'
      return errorsPage(assets['docs.css'].path)
    })
  for (const asset of Object.values(assets)) {
    app.get(asset.path, ({ request }) => assetResponse(request, asset, {}))
  }
  for (const { path } of app.routes) app.all(path, refuseMethod, { parse: 'none' })
  return app
}

function refuseMethod(): never {
  throw methodNotAllowed(['GET'])
}

type PluginDocument = NonNullable<NonNullable<Parameters<typeof swagger>[0]>['documentation']>

/** Sound because the plugin only copies the document; its type knows OpenAPI 3.0, ours is 3.1. */
const asPluginDocument = (document: object): PluginDocument => document as PluginDocument
