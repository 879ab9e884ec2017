const comparable = (text: string) =>
  text
    .toLowerCase()
    .replace(/https?:\/\/\S+/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/**
 * True when a body begins with the words of its title. The block is then shown without a heading,
 * because readers would read the same words twice. `text` is the body as plain text.
 */
export function isBrief(title: string, text: string): boolean {
  const heading = comparable(title)
  return heading !== '' && `${comparable(text)} `.startsWith(`${heading} `)
}
