import { diffWords } from 'diff'

// The library compares word by word; beyond this number of differences the texts share nothing. Long texts
// that share little take too long: then they are shown one after the other.
const limits = { maxEditLength: 1_000, timeout: 200 }

/** What changes between two texts: removed words are struck through, added ones are marked. */
export function TextDiff({ before, after }: { before: string; after: string }) {
  const changes = diffWords(before, after, limits) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ]
  return (
    <p class="text-diff">
      {changes.map(({ value, added, removed }) => {
        if (added) return <ins safe>{value}</ins>
        return removed ? <del safe>{value}</del> : <span safe>{value}</span>
      })}
    </p>
  )
}
