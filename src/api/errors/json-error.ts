import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'

/** Where and why a text is not JSON. */
export interface JsonError {
  /** From 1. */
  line: number
  /** From 1, in characters (Unicode code points). */
  column: number
  /** A few words, such as "close brace expected"; never a part of the text. */
  reason: string
}

/** The first place at which a text is not JSON (RFC 8259), or null when none is found. */
export function findJsonError(text: string): JsonError | null {
  const errors: ParseError[] = []
  parse(text, errors, { disallowComments: true, allowTrailingComma: false })
  const [first] = errors
  if (!first) return null
  const before = text.slice(0, first.offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return {
    line: before.split('\n').length,
    column: [...before.slice(lineStart)].length + 1,
    reason: printParseErrorCode(first.error)
      .replaceAll(/(?<=[a-z])[A-Z]/g, ' $&')
      .toLowerCase(),
  }
}
