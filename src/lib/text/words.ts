const maxWords = 10

/** The words of a text that somebody searches for, as they are typed: the first ten. */
export const wordsOf = (text: string): string[] =>
  text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, maxWords)
