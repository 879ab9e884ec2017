/** A count with its noun: `1 block`, `2 blocks`. */
export const pluralize = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`
