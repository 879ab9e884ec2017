// `<at>Tidings</at>`, or one for each word of a longer name.
const leadingMention =
  /^(?:\s|&nbsp;|<(?:p|div)\b[^<>]*>)*(?:<at\b[^<>]*>[^<>]*<\/at>(?:\s|&nbsp;)*)+/i

/**
 * What somebody wrote behind the mention that called us. Teams calls its text plain, and yet marks
 * people as `<at>name</at>`, emoji as pictures, and writes `&nbsp;` and `&lt;`.
 */
export function readText(text: string): string {
  const plain = text
    .replace(leadingMention, '')
    .replace(/<img\b([^<>]*)>/gi, (_, attributes: string) => altOf(attributes))
    .replace(/<br\b[^<>]*>|<\/(?:p|div)>/gi, '\n')
    .replace(/<\/?(?:at|p|div|span)\b[^<>]*>/gi, '')
  return decode(plain)
}

const altOf = (attributes: string) => /\balt="([^"]*)"/i.exec(attributes)?.[1] ?? ''

const decode = (text: string) =>
  text
    .replace(/&nbsp;|&#160;/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    // Last, so that nothing is decoded twice.
    .replaceAll('&amp;', '&')
