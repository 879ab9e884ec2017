/**
 * The known name that somebody probably meant: with the fewest edits, when they are few for its length,
 * or with the given name as one of its words.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, edits: editsBetween(name.slice(0, 40), candidate) }))
    .toSorted((one, other) => one.edits - other.edits)
  const [best] = ranked
  if (best && best.edits <= best.candidate.length / 3) return best.candidate
  return known.find((candidate) => candidate.split('_').includes(name))
}

/** How many characters to add, remove, replace or swap with the next (optimal string alignment). */
function editsBetween(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)]
  const edits = (row: number, at: number) => rows[row]?.[at] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= one.length; row++) {
    rows.push([row])
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1]
      const isSwap = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]
      rows[row]?.push(
        Math.min(
          edits(row - 1, at) + 1,
          edits(row, at - 1) + 1,
          edits(row - 1, at - 1) + (isSame ? 0 : 1),
          isSwap ? edits(row - 2, at - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return edits(one.length, other.length)
}
