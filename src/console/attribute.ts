/**
 * Text that somebody wrote, for an attribute. Kita escapes the quotes of attributes and nothing else,
 * so that `&lt;` would turn into `<` in the browser, and be sent back as that.
 */
export function attribute(text: string): string {
  return text.replaceAll('&', '&amp;')
}
