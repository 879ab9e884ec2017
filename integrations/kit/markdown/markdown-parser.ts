import { Lexer, type Token, Tokenizer, type Tokens, type TokensList } from 'marked'
import { replaceEmojiCodes } from '../text/emoji-codes.ts'

/**
 * Deeper quotes and lists are shown as text: readers cannot follow them, and the parser reads the
 * rest of the text again for each level.
 */
const maxNesting = 20

// Above these sizes the work grows with the square of the text: marked searches the rest of the
// text for the end of every mark and fills each row of a table to its full width.
const maxInlineCharacters = 2048
const maxTableColumns = 20
/** A longer paragraph or quote is split, because their expressions are slow on many lines. */
const maxParagraphLines = 200

class BoundedTokenizer extends Tokenizer {
  #depth = 0

  #nested<T>(read: () => T): T | undefined {
    if (this.#depth >= maxNesting) return undefined
    this.#depth += 1
    try {
      return read()
    } finally {
      this.#depth -= 1
    }
  }

  override blockquote(source: string): Tokens.Blockquote | undefined {
    if (!/^ {0,3}>/.test(source)) return undefined
    const lines = firstLines(firstBlock(source), maxParagraphLines)
    return this.#nested(() => super.blockquote(lines))
  }

  override list(source: string): Tokens.List | undefined {
    return this.#nested(() => super.list(source))
  }

  /**
   * Reads a heading of one line above its underline: the expression for longer ones is slow on any
   * text.
   */
  override lheading(source: string): Tokens.Heading | undefined {
    const end = source.indexOf('\n')
    const isUnderlined = /^ {0,3}(?:=+|-+)[^\S\n]*(?:\n|$)/.test(source.slice(end + 1, end + 200))
    return end !== -1 && isUnderlined ? super.lheading(source) : undefined
  }

  override paragraph(source: string): Tokens.Paragraph | undefined {
    return super.paragraph(firstLines(firstBlock(source), maxParagraphLines))
  }

  /** A footnote is no address of a link: GitHub shows it below the text. */
  override def(source: string): Tokens.Def | undefined {
    return /^ {0,3}\[\^/.test(source) ? undefined : super.def(source)
  }

  /** Reads the rest of the text only when it begins with the head of a table, or each other line would read it. */
  override table(source: string): Tokens.Table | undefined {
    const head = firstLines(source, 2)
    const columns = head.slice(0, head.indexOf('\n')).split('|').length
    return columns > maxTableColumns || !super.table(head) ? undefined : super.table(source)
  }
}

/**
 * A text until its first empty line, which ends a paragraph and a quote. Counting the lines of the whole
 * rest for each of them would take longer than reading it.
 */
function firstBlock(text: string): string {
  const end = text.indexOf('\n\n')
  return end === -1 ? text : text.slice(0, end + 2)
}

/** The first `count` lines of a text, with their line breaks. */
function firstLines(text: string, count: number): string {
  let end = 0
  for (let line = 0; line < count; line++) {
    end = text.indexOf('\n', end) + 1
    if (end === 0) return text
  }
  return text.slice(0, end)
}

/** Parses a long paragraph in parts of whole lines, and a longer line as plain text. */
class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (source.length <= maxInlineCharacters) return super.inlineTokens(source, tokens)
    for (const [index, part] of partsOf(source).entries()) {
      if (index > 0) tokens.push({ type: 'br', raw: '\n' })
      if (part.length <= maxInlineCharacters) super.inlineTokens(part, tokens)
      else tokens.push({ type: 'text', raw: part, text: part, escaped: false })
    }
    return tokens
  }
}

/** Lines, joined while they fit into one part. */
function partsOf(source: string): string[] {
  const parts: string[] = []
  for (const line of source.split('\n')) {
    const last = parts.at(-1)
    const joined = `${last}\n${line}`
    if (last !== undefined && joined.length <= maxInlineCharacters) parts[parts.length - 1] = joined
    else parts.push(line)
  }
  return parts
}

/**
 * Parses Markdown into tokens and replaces emoji codes, in time that grows linearly with the text.
 * Line breaks are kept, as code hosts and chats show them. `text` changes plain text, for example
 * to remove references.
 */
export function parseMarkdown(markdown: string, text?: (words: string) => string): TokensList {
  const tokens = new BoundedLexer(options()).lex(markdown)
  changeText(tokens, text)
  return tokens
}

/** Parses one line of Markdown into tokens. Nothing in it starts a list, a heading or a quote. */
export function parseInline(markdown: string): Token[] {
  const tokens = new BoundedLexer(options()).inlineTokens(markdown)
  changeText(tokens)
  return tokens
}

const options = () => ({ gfm: true, breaks: true, tokenizer: new BoundedTokenizer() })

function changeText(tokens: readonly Token[], change = (words: string) => words): void {
  for (const token of tokens) {
    const inner = innerTokens(token)
    if (inner.length > 0) changeText(inner, change)
    else if (token.type === 'text' && !token['escaped']) {
      token['text'] = change(replaceEmojiCodes(token['text']))
    }
  }
}

/**
 * The tokens inside a token: its own tokens, or those of the items of a list or the cells of a
 * table.
 */
function innerTokens(token: Token): readonly Token[] {
  if (token.type === 'list') return token['items']
  if (token.type === 'table')
    return [...token['header'], ...token['rows'].flat()].flatMap((cell) => cell.tokens)
  return ('tokens' in token ? token.tokens : undefined) ?? []
}
