// Titles have no addresses; texts have them whole, or without a scheme as in the words of their links.
const address = /https?:\/\/\S+|(?<![^\s(])(?:[a-z\d-]+\.)+[a-z]{2,}\/\S*/g

const comparable = (text: string) =>
  text
    .toLowerCase()
    .replace(address, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/**
 * True when a body begins with the words of its title. The block is then shown without a heading,
 * because readers would read the same words twice. `text` is the body as plain text.
 */
export function startsWithTitle(title: string, text: string): boolean {
  const heading = comparable(title)
  return heading !== '' && `${comparable(text)} `.startsWith(`${heading} `)
}
