// After the marks of quotes. With more spaces, the line is code or belongs to the point above it.
const numberedLine = /^((?: {0,3}>)* {0,3})(\d{1,9})([.)])(?=\s|$)/
const fence = /^(?: {0,3}>)* {0,3}(`{3,}|~{3,})(.*)$/

/**
 * The lines that begin with a number which begins no list, as `24. Dezember: geschlossen`: the numbered lines before and
 * after them, if any, have other numbers than the previous and the next one. Code has no such lines.
 */
export function linesWithLoneNumber(lines: readonly string[]): ReadonlySet<number> {
  const numbered: { line: number; value: number }[] = []
  let code: string | undefined
  for (const [line, text] of lines.entries()) {
    const [, mark = '', rest = ''] = fence.exec(text) ?? []
    if (code === undefined && mark !== '' && !rest.includes('`')) code = mark
    else if (code !== undefined && mark.startsWith(code) && rest.trim() === '') code = undefined
    const [, , value] = (code === undefined && numberedLine.exec(text)) || []
    if (value !== undefined) numbered.push({ line, value: Number(value) })
  }
  const isLone = ({ value }: { value: number }, at: number) =>
    numbered[at - 1]?.value !== value - 1 && numbered[at + 1]?.value !== value + 1
  return new Set(numbered.filter(isLone).map(({ line }) => line))
}

/** Markdown in which numbers that begin no list stay as they were written. */
export function escapeLoneNumbers(markdown: string): string {
  const lines = markdown.split('\n')
  const lone = linesWithLoneNumber(lines)
  return lines
    .map((text, line) => (lone.has(line) ? text.replace(numberedLine, '$1$2\\$3') : text))
    .join('\n')
}
