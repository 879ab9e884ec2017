/** Points of deeper lists are written like these, so that the text grows with the number of points only. */
const maxIndents = 5

/**
 * Writes Markdown. Its marks are at the edges of words, so spaces and line breaks at the edges of an element are
 * outside of its marks, and an element without words has none.
 */
export class MarkdownWriter {
  #text = ''
  /** What separates the text from its next word, and the marks before that word. */
  #separator = ''
  #marks: string[] = []
  /** The numbers of the next points of the lists that are open; null for those without numbers. */
  readonly #lists: (number | null)[] = []
  #isFirstPoint = false

  get text(): string {
    return this.#text + this.#separator
  }

  write(words: string): void {
    const start = words.trimStart()
    const core = start.trimEnd()
    this.#separator += words.slice(0, words.length - start.length)
    if (core === '') return
    this.#text += this.#separator + this.#marks.join('') + core
    this.#separator = start.slice(core.length)
    this.#marks = []
  }

  /** Adds a line break, or the mark of a line. */
  separate(separator: string): void {
    this.#separator += separator
  }

  open(mark: string): void {
    this.#marks.push(mark)
  }

  close(mark: string): void {
    if (this.#marks.at(-1) === mark) this.#marks.pop()
    else this.#text += mark
  }

  /** `first` is the number of the first point; null for a list without numbers. */
  openList(first: number | null): void {
    if (this.#lists.length === 0) this.separate('\n\n')
    this.#lists.push(first)
    this.#isFirstPoint = true
  }

  closeList(): void {
    this.#lists.pop()
    if (this.#lists.length === 0) this.separate('\n\n')
  }

  openPoint(): void {
    const depth = this.#lists.length - 1
    const number = this.#lists[depth] ?? null
    if (number !== null) this.#lists[depth] = number + 1
    const indent = '    '.repeat(Math.min(Math.max(depth, 0), maxIndents))
    this.separate(`\n${indent}${number === null ? '-' : `${number}.`}${this.#spaces(number)}`)
    this.#isFirstPoint = false
  }

  /**
   * Two spaces behind the first number make a list of one point a list. Behind a longer number, they would move its
   * text further right than the points inside of it.
   */
  #spaces(number: number | null): string {
    return this.#isFirstPoint && number !== null && number < 10 ? '  ' : ' '
  }
}
