import { errorTitle, statusOf } from '../../lib/http/index.ts'
import { errorCodes, errorFacts } from '../error-codes.ts'
import type { DocsAssets } from './assets.ts'

/** The API documentation: Swagger UI on the document at `/openapi.json`. */
export function docsPage(assets: DocsAssets): string {
  return page(assets, {
    path: '/docs',
    title: 'API documentation',
    wide: true,
    head: `<link rel="stylesheet" href="${assets['swagger-ui.css'].path}">
<script defer src="${assets['swagger-ui-bundle.js'].path}"></script>
<script type="module" src="${assets['docs.js'].path}"></script>`,
    body: `<main id="api-reference" data-url="/openapi.json">
<noscript>This page needs JavaScript. All it shows is in <a href="/openapi.json">openapi.json</a>.</noscript>
</main>`,
  })
}

/** Every error code with its meaning and remedy, each under its own anchor. */
export function errorsPage(assets: DocsAssets): string {
  return page(assets, {
    path: '/docs/errors',
    title: 'Errors',
    body: `<main class="prose">
<h1>Errors</h1>
<p>Every answer that is not a success is a problem document
(<code>application/problem+json</code>, RFC 9457). Programs decide by its <code>code</code>, people read
its <code>detail</code>, and its <code>type</code> leads here.</p>
${errorCodes.map(errorSection).join('\n')}
</main>`,
  })
}

function errorSection(code: (typeof errorCodes)[number]): string {
  const { meaning, remedy } = errorFacts[code]
  return `<section id="${code}">
<h2><a href="#${code}">${errorTitle(code)}</a></h2>
<p class="quiet">${statusOf[code]} <code>${code}</code></p>
<p>${prose(meaning)}</p>
<p><strong>What to do:</strong> ${prose(remedy)}</p>
</section>`
}

/** Our own sentences as HTML: escaped, and \`code\` between backticks. */
const prose = (text: string) => Bun.escapeHTML(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

interface Page {
  path: string
  title: string
  head?: string
  body: string
  wide?: boolean
}

function page(assets: DocsAssets, { path, title, head = '', body, wide = false }: Page): string {
  const link = (to: string, name: string) =>
    `<a href="${to}"${to === path ? ' aria-current="page"' : ''}>${name}</a>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Tidings</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets['docs.css'].path}">
${head}
</head>
<body${wide ? ' class="wide"' : ''}>
<header>
${link('/', 'Tidings')}
${link('/docs', 'API documentation')}
${link('/docs/errors', 'Errors')}
${link('/openapi.json', 'openapi.json')}
</header>
${body}
</body>
</html>
`
}
