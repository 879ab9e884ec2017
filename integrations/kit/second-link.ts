import { htmlToText } from './plain-text.ts'

const anchor = /<a\b[^<>]*\bhref="([^"<>]*)"[^<>]*>((?:[^<]|<(?!\/?a\b))*)<\/a>/gi
const label = '(?:read more|more|details|see|link|here|mehr(?: lesen)?|weiterlesen|hier)'
const onlyLabel = new RegExp(`^${label}?\\s*[:→»…]*$`, 'i')
const emptyParagraph = new RegExp(
  `<p\\b[^<>]*>(?:\\s|&nbsp;|<br ?/?>)*(?:${label}\\s*:?)?\\s*</p>\\s*`,
  'gi',
)

const comparable = (address: string) =>
  address
    .replaceAll('&amp;', '&')
    .replace(/^http:/, 'https:')
    .replace(/[/#]+$/, '')

/**
 * A body without links to an address, which templates print as “Read more”. The words of such a link
 * stay, unless they are the address or its label.
 */
export function withoutLinkTo(body: string, url: string | undefined): string {
  if (!url || !/<a\b/i.test(body)) return body
  const without = body.replace(anchor, (link, href: string, content: string) => {
    if (comparable(href) !== comparable(url)) return link
    const words = htmlToText(content).trim()
    return /^(?:https?:\/\/|www\.)\S+$/i.test(words) || onlyLabel.test(words) ? '' : content
  })
  return without === body ? body : without.replace(emptyParagraph, '')
}
