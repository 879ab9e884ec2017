import sanitize from 'sanitize-html'

const allowedTags = [
  ...['p', 'br', 'hr', 'div', 'span', 'blockquote', 'pre', 'code', 'kbd', 'samp'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'dl', 'dt', 'dd'],
  ...['a', 'b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'sub', 'sup', 'small', 'mark', 'q'],
  ...['cite', 'abbr', 'img', 'figure', 'figcaption', 'details', 'summary'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
]

const allowed: sanitize.IOptions = {
  allowedTags,
  allowedAttributes: {
    a: ['href', 'title'],
    abbr: ['title'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    ol: ['start'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan', 'scope'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  // What stands inside these is code or markup, never prose; the tags alone are not enough.
  nonTextTags: [
    ...['script', 'style', 'textarea', 'option', 'noscript', 'template', 'title', 'svg', 'math'],
    ...['iframe', 'object', 'xmp', 'noembed', 'noframes', 'plaintext'],
  ],
  nestingLimit: 50,
}

/**
 * HTML from outside, reduced to prose: no script, style, event handler, form or frame, links only to
 * http, https and mailto. Cleaning what is clean changes nothing.
 */
export function cleanHtml(html: string): string {
  return sanitize(html, allowed)
}

/**
 * HTML that a model wrote: cleaned as `cleanHtml` does, with no image at all and with links only
 * where `mayLink` says so; other links become plain words. What a model has read cannot leave by an
 * address it makes up (threat T-27).
 */
export function cleanGeneratedHtml(html: string, mayLink: (href: string) => boolean): string {
  return sanitize(html, {
    ...allowed,
    allowedTags: allowedTags.filter((tag) => tag !== 'img'),
    transformTags: {
      a: (tagName, attribs) =>
        mayLink(attribs['href'] ?? '') ? { tagName, attribs } : { tagName: 'span', attribs: {} },
    },
  })
}

/** The words of an HTML text, without its markup; entities stay escaped. */
function textOf(html: string): string {
  return sanitize(html, { allowedTags: [], allowedAttributes: {} })
}

/** False when an HTML text shows nothing: neither a word nor a picture. */
export function hasContent(html: string): boolean {
  return textOf(html).trim() !== '' || /<img [^>]*src=/.test(html)
}

// A tag every browser knows, or any tag with an attribute: `Map<K, V>` and `<ada@example.com>` are prose.
const knownTag =
  /<\/?(?:a|abbr|audio|b|base|big|blockquote|body|br|button|center|cite|code|dd|del|details|div|dl|dt|em|embed|figure|font|form|frame|h[1-6]|head|hr|html|i|iframe|img|input|ins|kbd|li|link|mark|math|meta|object|ol|option|p|pre|q|s|samp|script|section|select|small|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|template|textarea|tfoot|th|thead|title|tr|tt|u|ul|video|xmp)(?=[\s/>])/i
const tagWithAttribute = /<[a-z][^\s<>=/]*[\s/][^<>]*=/i

/** Tells HTML from plain text, for callers that send either without saying which. */
export function looksLikeHtml(text: string): boolean {
  return knownTag.test(text) || tagWithAttribute.test(text) || text.includes('<!--')
}
