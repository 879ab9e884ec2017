import sanitize from 'sanitize-html'

/** A sent email as it is shown on a page. */
export interface DisplayedEmail {
  /** The style sheet of the email. */
  styles: string
  /** The content of its body, sanitized. */
  body: string
  /** The color around it, `#rrggbb`, or null. */
  background: string | null
}

/**
 * The parts of a stored email for a page, sanitized whatever was stored: only the elements, attributes
 * and styles that our layouts have; no script, form, frame or comment; links to the web, to email
 * addresses and within the email; images over http and https.
 */
export function displayedEmail(html: string): DisplayedEmail {
  const { head, rest } = splitHead(html)
  return {
    styles: stylesOf(head),
    body: sanitize(rest, allowed).trim(),
    background:
      /<body[^>]*\sstyle="[^"]*background-color:\s*(#[0-9a-f]{6})/i.exec(rest)?.[1] ?? null,
  }
}

function splitHead(html: string): { head: string; rest: string } {
  const end = html.indexOf('</head>')
  return end === -1 ? { head: '', rest: html } : { head: html.slice(0, end), rest: html.slice(end) }
}

/** The style sheets in a head, without those for one mail program and those that load something. */
function stylesOf(head: string): string {
  const visible = head.replaceAll(/<!--(?:\[if mso|\[if lte mso).*?<!\[endif\]-->/gs, '')
  return [...visible.matchAll(/<style type="text\/css">(.*?)<\/style>/gs)]
    .map(([, style = '']) => style.trim())
    .filter((style) => !unsafeStyle.test(style))
    .join('\n')
}

/** What loads a file, runs code in old browsers, ends the element, or hides one of these. */
const unsafeStyle = /[<\\]|@import|@font-face|url\s*\(|image-set|expression|behavior|-moz-binding/i

const text = ['align', 'aria-label', 'class', 'dir', 'id', 'lang', 'role', 'style', 'title']

const allowed: sanitize.IOptions = {
  allowedTags: [
    ...['div', 'p', 'span', 'br', 'hr', 'blockquote', 'pre', 'code', 'kbd', 'samp', 'bdi'],
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'a', 'img'],
    ...['b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'sub', 'sup', 'small', 'mark', 'q'],
    ...['cite', 'abbr', 'figure', 'figcaption', 'details', 'summary'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  allowedAttributes: {
    '*': text,
    a: ['href'],
    img: ['src', 'alt', 'width', 'height'],
    ol: ['start'],
    table: ['border', 'cellpadding', 'cellspacing', 'width', 'bgcolor'],
    td: ['colspan', 'rowspan', 'width', 'height', 'valign', 'bgcolor'],
    th: ['colspan', 'rowspan', 'scope'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  parseStyleAttributes: false,
  // What is inside these is code or markup, never prose.
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'template', 'title', 'xml'],
  transformTags: {
    '*': (tagName, { style, ...attribs }) => ({
      tagName,
      attribs: { ...attribs, ...(style && { style: safeDeclarations(style) }) },
    }),
  },
}

/** The properties that could move an element over the page around the email. */
const movingProperty =
  /^(?:position|inset|top|right|bottom|left|z-index|transform|translate|float)$/

/** The declarations of a style attribute that neither load something nor leave the email. */
function safeDeclarations(style: string): string {
  return style
    .split(';')
    .filter((declaration) => {
      const property = declaration.slice(0, declaration.indexOf(':')).trim().toLowerCase()
      return !movingProperty.test(property) && !unsafeStyle.test(declaration)
    })
    .join(';')
}
