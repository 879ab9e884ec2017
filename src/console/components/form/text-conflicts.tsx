import { AppError } from '../../../lib/errors.ts'
import { attribute } from '../../attribute.ts'
import type { SubmittedForm } from '../../http/context.ts'
import { type FormValues, listValuesOf, textOf } from '../../http/forms/form-data.ts'
import type { Translate } from '../../locales/index.ts'

/** The text fields of a form by their names, as they are typed. */
export type Texts = Readonly<Record<string, string>>

/** A field that two people have changed to different values. */
export interface Conflict {
  name: string
  /** What the other person has saved. */
  theirs: string
}

/** How the value of a field is shown to people. */
export type Describe = Readonly<Record<string, (value: string) => string>>

const originalName = (name: string): string => `original_${name}`

/** Hidden fields with the texts that are stored when the form is shown. */
export function OriginalTexts({ texts }: { texts: Texts }) {
  return (
    <>
      {Object.entries(texts).map(([name, text]) => (
        <input type="hidden" name={originalName(name)} value={attribute(text)} />
      ))}
    </>
  )
}

const withoutBreaks = (text: string): string => text.replaceAll('\r\n', '\n').trim()

/** The texts that another person has changed since the form was shown, and that the form also changes. */
export function findConflicts(values: FormValues, stored: Texts): Conflict[] {
  return Object.entries(stored).flatMap(([name, theirs]) => {
    const original = values[originalName(name)]
    if (original === undefined || !(name in values)) return []
    const [before, mine, now] = [textOf(values, originalName(name)), textOf(values, name), theirs]
    const isTheirChange = withoutBreaks(now) !== withoutBreaks(before)
    const isMyChange = ![before, now].some((one) => withoutBreaks(one) === withoutBreaks(mine))
    return isTheirChange && isMyChange ? [{ name, theirs }] : []
  })
}

/** The conflicts that a form showed and that are not decided, because an error kept it from being saved. */
export const seenConflicts = (values: FormValues, stored: Texts): Conflict[] =>
  listValuesOf(values, 'conflict[]').flatMap((name) => {
    const theirs = stored[name]
    if (theirs === undefined) return []
    return withoutBreaks(theirs) === withoutBreaks(textOf(values, name)) ? [] : [{ name, theirs }]
  })

/** Conflicts and those that a form showed before, each once. */
export const withSeen = (conflicts: readonly Conflict[], seen: readonly Conflict[]): Conflict[] => [
  ...conflicts,
  ...seen.filter(({ name }) => conflicts.every((one) => one.name !== name)),
]

/**
 * What is saved of each text: mine where I changed it, theirs where only they did, and both, one below the
 * other, where two people did and the person has chosen to keep both.
 */
export function mergedTexts(values: FormValues, stored: Texts): Record<string, string> {
  const conflicts = findConflicts(values, stored)
  const seen = listValuesOf(values, 'conflict[]')
  const merged = Object.entries(stored).map(([name, theirs]): [string, string] => {
    const mine = textOf(values, name)
    const original = values[originalName(name)]
    const isUnchanged =
      original !== undefined &&
      withoutBreaks(mine) === withoutBreaks(textOf(values, originalName(name)))
    if (isUnchanged) return [name, theirs]
    const isInConflict = [...seen, ...conflicts.map((one) => one.name)].includes(name)
    return [name, isInConflict && keepsBoth(values) ? joined(name, theirs, mine) : mine]
  })
  return Object.fromEntries(merged)
}

/**
 * The values of a form that is shown again: the texts that only the other person has changed are theirs,
 * because saving the form must not undo that.
 */
export const withTheirTexts = (values: FormValues, stored: Texts): FormValues => ({
  ...values,
  ...mergedTexts({ ...values, keep: '' }, stored),
})

/** True when the person has chosen to keep both texts. */
export const keepsBoth = (values: FormValues): boolean => textOf(values, 'keep') === 'both'

const isHtml = (text: string): boolean => /<\/?[a-z][^>]*>/i.test(text)
const asHtml = (text: string): string =>
  isHtml(text)
    ? text
    : text
        .split(/\n\s*\n/)
        .map((part) => `<p>${Bun.escapeHTML(part)}</p>`)
        .join('')

function joined(name: string, theirs: string, mine: string): string {
  // A heading and a title have one line.
  if (name === 'heading' || name === 'title') return `${theirs} / ${mine}`
  return isHtml(theirs) || isHtml(mine) ? asHtml(theirs) + asHtml(mine) : `${theirs}\n\n${mine}`
}

const maxAttempts = 3

/** Runs `work` again when somebody else has changed the newsletter between reading and writing it. */
export async function retryAfterChange<T>(work: () => Promise<T>, attempt = 1): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isMismatch = error instanceof AppError && error.code === 'version_mismatch'
    if (!isMismatch || attempt >= maxAttempts) throw error
    return await retryAfterChange(work, attempt + 1)
  }
}

interface ConflictNoticeProps {
  t: Translate
  conflicts: readonly Conflict[]
  /** For fields whose values are not texts. */
  describe?: Describe
  /** For fields that are shown as an element, such as an image. */
  elements?: Readonly<Record<string, JSX.Element>>
  /** Whether both values of a field can be kept: two texts can, two types of a block cannot. */
  canKeepBoth?: (name: string) => boolean
}

/** Shows what another person has saved, at the top of the form with the own text. */
export function TextConflictNotice({
  t,
  conflicts,
  describe = {},
  elements = {},
  canKeepBoth = () => true,
}: ConflictNoticeProps) {
  if (conflicts.length === 0) return ''
  const isAboutText = conflicts.some(({ name }) => canKeepBoth(name))
  return (
    <section class="notice warning" role="alert" aria-labelledby="conflict" tabindex="-1">
      <h2 id="conflict">
        {t(isAboutText ? 'newsletters.changed_meanwhile' : 'newsletters.value_changed_meanwhile')}
      </h2>
      {conflicts.map(({ name }) => (
        <input type="hidden" name="conflict[]" value={attribute(name)} />
      ))}
      {conflicts.map(
        (conflict) =>
          (elements[conflict.name] as 'safe') ?? (
            <TheirText t={t} conflict={conflict} describe={describe} />
          ),
      )}
      <p>{t(isAboutText ? 'newsletters.your_text_is_below' : 'newsletters.your_value_is_below')}</p>
      {isAboutText ? (
        <button type="submit" name="keep" value="both" class="small">
          {t('newsletters.keep_both_texts')}
        </button>
      ) : null}
    </section>
  )
}

function TheirText({
  t,
  conflict: { name, theirs },
  describe,
}: {
  t: Translate
  conflict: Conflict
  describe: Describe
}) {
  const shown = describe[name]?.(theirs) ?? textOfHtml(theirs)
  if (shown === '') return <p>{t('newsletters.they_removed_it')}</p>
  return (
    <blockquote class="their-text" safe>
      {shown}
    </blockquote>
  )
}

const textOfHtml = (html: string): string =>
  html
    .replaceAll(/<\/(?:p|li|h\d|blockquote)>|<br>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .trim()

/** The status of the page of a form: 422 with errors, otherwise 409 with a conflict. */
export function conflictStatus(
  submitted: SubmittedForm | undefined,
  conflicts: readonly Conflict[],
): number {
  if (conflicts.length > 0 && submitted?.errors.length === 0) return 409
  return submitted ? 422 : 200
}
