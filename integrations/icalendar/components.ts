import { decodeDocument } from '../kit/polling/decode-text.ts'

/**
 * The text of a calendar. Some programs end lines within a character (RFC 5545, section 3.1), which is joined before the
 * bytes are read as text.
 */
export function decodeCalendar(bytes: Uint8Array, contentType: string): string {
  const whole = Buffer.from(bytes)
    .toString('latin1')
    .replace(/(?<=[\x80-\xf4])\r?\n[ \t](?=[\x80-\xbf])/g, '')
  return decodeDocument(Buffer.from(whole, 'latin1'), contentType)
}

/** No component that is read has more lines. */
const maxLines = 2_000
const maxNameCharacters = 40

/** The lines of each component with a name, such as `VEVENT`, with its first and its last line. */
export function* componentsIn(lines: readonly string[], name: string): Generator<string[]> {
  let component: string[] | null = null
  for (const line of lines) {
    const word = line.length <= maxNameCharacters ? line.trim().toUpperCase() : ''
    if (word === `BEGIN:${name}`) component = []
    if (component === null) continue
    component.push(line)
    const isComplete = word === `END:${name}`
    if (isComplete) yield component
    if (isComplete || component.length >= maxLines) component = null
  }
}
