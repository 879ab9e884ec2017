import { TextDiff } from '../../components/text-diff.tsx'
import type { TextKey, Translate } from '../../locales/index.ts'

/** A field of a version as people read it. */
export interface ShownField {
  label: TextKey
  /** As text; empty when it has no value. */
  text: string
  /** As it is stored, when different values can have the same text, such as bold words. */
  stored?: string
  /** Whether words are compared; otherwise the old value is before the new one. */
  isProse?: boolean
}

interface DifferencesProps {
  t: Translate
  before: readonly ShownField[]
  after: readonly ShownField[]
}

/** What differs between two versions, field by field. Both have the same fields in the same order. */
export function Differences({ t, before, after }: DifferencesProps) {
  const changed = after.flatMap((field, index) => {
    const earlier = before[index]
    const isEqual = !earlier || (earlier.text === field.text && earlier.stored === field.stored)
    return isEqual ? [] : [{ before: earlier, after: field }]
  })
  if (changed.length === 0) return <p class="muted">{t('history.equal')}</p>
  return (
    <dl class="differences-list">
      {changed.map((field) => (
        <>
          <dt>{t(field.after.label)}</dt>
          <dd>
            <Difference t={t} before={field.before} after={field.after} />
          </dd>
        </>
      ))}
    </dl>
  )
}

function Difference({ t, before, after }: { t: Translate; before: ShownField; after: ShownField }) {
  if (before.text === after.text) return <p class="muted">{t('history.formatting')}</p>
  if (after.isProse) return <TextDiff before={before.text} after={after.text} />
  return (
    <p class="text-diff">
      {before.text ? <del safe>{before.text}</del> : null}{' '}
      {after.text ? <ins safe>{after.text}</ins> : null}
    </p>
  )
}
