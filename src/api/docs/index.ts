import { Elysia } from 'elysia'
import { version } from '../../../package.json'
import { assetResponse } from '../../lib/assets.ts'
import { openApiDocument } from '../openapi/document.ts'
import type { Operation } from '../openapi/operation.ts'
import { namedSchemas } from '../v1/schemas.ts'
import { findDocsAssets } from './assets.ts'
import { docsPage, errorsPage } from './pages.ts'

const securityHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

interface DocsOptions {
  /** How clients reach the service, without a slash at the end. */
  baseUrl: string
  operations: readonly Operation[]
}

/** Mounts the pages that need no key: `/docs`, `/docs/errors`, their files, `/openapi.json`. */
export function createDocs({ baseUrl, operations }: DocsOptions) {
  const assets = findDocsAssets()
  const document = openApiDocument(operations, { baseUrl, version, schemas: namedSchemas })
  const app = new Elysia()
  const mount = (path: string, answer: () => Response) => {
    app.get(path, answer)
  }
  mount('/docs', () => text(docsPage(assets), 'text/html'))
  mount('/docs/errors', () => text(errorsPage(assets), 'text/html'))
  mount('/openapi.json', () => text(JSON.stringify(document), 'application/json'))
  for (const asset of Object.values(assets)) {
    app.get(asset.path, ({ request }) => assetResponse(request, asset, securityHeaders))
  }
  return app
}

const text = (body: string, type: string) =>
  new Response(body, {
    headers: {
      ...securityHeaders,
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-cache',
    },
  })
