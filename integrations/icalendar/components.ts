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
