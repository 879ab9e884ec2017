import { errorTitle, statusOf } from '../../lib/http/index.ts'
import { errorCodes, errorExplanations } from '../errors/codes.ts'

const path = '/docs/errors'

/** The navigation of the docs. */
export const links = [
  { href: '/', text: 'Tidings' },
  { href: '/docs', text: 'API documentation' },
  { href: path, text: 'Errors' },
  { href: '/openapi.json', text: 'openapi.json' },
]

/** Every error code with its meaning and remedy, each under its own anchor. */
export function errorsPage(stylesheet: string): string {
  const navigation = links.map(
    ({ href, text }) =>
      `<a href="${href}"${href === path ? ' aria-current="page"' : ''}>${text}</a>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors · Tidings</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheet}">
</head>
<body>
<header>
${navigation.join('\n')}
</header>
<main class="prose">
<h1>Errors</h1>
<p>Every response that is not a success is a problem document
(<code>application/problem+json</code>, RFC 9457). Programs decide by its <code>code</code>, people read
its <code>detail</code>, and its <code>type</code> leads here.</p>
${errorCodes.map(errorSection).join('\n')}
</main>
</body>
</html>
`
}

function errorSection(code: (typeof errorCodes)[number]): string {
  const { meaning, remedy } = errorExplanations[code]
  return `<section id="${code}">
<h2><a href="#${code}">${errorTitle(code)}</a></h2>
<p class="muted">${statusOf[code]} <code>${code}</code></p>
<p>${prose(meaning)}</p>
<p><strong>What to do:</strong> ${prose(remedy)}</p>
</section>`
}

/** Our own sentences as HTML: escaped, and \`code\` between backticks. */
const prose = (text: string) => Bun.escapeHTML(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
