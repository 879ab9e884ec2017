/**
 * Escapes user text for an attribute. Kita escapes only the quotes in attributes, so the browser would
 * read `&lt;` as `<`.
 */
export function attribute(text: string): string {
  return text.replaceAll('&', '&amp;')
}
