const comparable = (text: string) =>
  text
    .toLowerCase()
    .replace(/https?:\/\/\S+/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/**
 * Whether a body begins with the words of its title, so that the title above it would say them twice:
 * the block is then shown as a brief, its body without a heading. `text` is the body as plain text.
 */
export function isBrief(title: string, text: string): boolean {
  const heading = comparable(title)
  return heading !== '' && `${comparable(text)} `.startsWith(`${heading} `)
}
