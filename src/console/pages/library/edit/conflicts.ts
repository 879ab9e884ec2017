import type { ContentBlock } from '../../../../contract/blocks/content-block.ts'
import {
  findImageConflicts,
  hasTwoTexts,
  imageTexts,
  seenImageConflicts,
  withStoredImage,
} from '../../../components/form/images/image-conflicts.ts'
import {
  type Conflict,
  findConflicts,
  mergedTexts,
  seenConflicts,
  type Texts,
  withSeen,
  withTheirTexts,
} from '../../../components/form/text-conflicts.tsx'
import { type FormValues, textOf } from '../../../http/forms/form-data.ts'

/** The texts of a block: two of them can both be kept. */
const textsOf = ({ title, body }: ContentBlock): Texts => ({ title, body })

/** The fields of a block that have one value. */
const choicesOf = (block: ContentBlock): Texts => ({
  block_type: block.block_type,
  event_slug: block.event_slug ?? '',
  author: block.origin?.author ?? '',
  source_url: block.origin?.url ?? '',
  publish_after: block.publish_after?.slice(0, 16) ?? '',
  image_size: block.image_size ?? '',
})

/** The values of a block as its form shows them. */
export const fieldsOf = (block: ContentBlock): Texts => ({
  ...textsOf(block),
  ...choicesOf(block),
  ...imageTexts(block),
})

/** The values of a form, in which fields that it does not have are as they are stored. */
export const withoutGaps = (values: FormValues, block: ContentBlock): FormValues => ({
  ...choicesOf(block),
  ...values,
})

/** What another person has changed since the form was shown, and what the form also changes. */
export function findBlockConflicts(
  values: FormValues,
  { block, version }: { block: ContentBlock; version: number },
): Conflict[] {
  if (version === block.version) return []
  const fields = { ...textsOf(block), ...choicesOf(block) }
  if ('original_title' in values)
    return [...findConflicts(values, fields), ...findImageConflicts(values, block)]
  // The form does not say what it showed, so each difference can be a change of the other person.
  const isDifferent = ([name, theirs]: [string, string]) => textOf(values, name) !== theirs
  return Object.entries(fields)
    .filter(isDifferent)
    .map(([name, theirs]) => ({ name, theirs }))
}

/** The conflicts of a form that is shown again, also those that it showed before. */
export function undecidedConflicts(values: FormValues, block: ContentBlock): Conflict[] {
  const version = Number(textOf(values, 'version'))
  const seen = seenConflicts(values, { ...textsOf(block), ...choicesOf(block) })
  return withSeen(findBlockConflicts(values, { block, version }), [
    ...seen,
    ...seenImageConflicts(values, block),
  ])
}

/** Whether both values of a field can be kept. */
export const canKeepBoth =
  (values: FormValues, block: ContentBlock) =>
  (name: string): boolean =>
    name === 'image' ? hasTwoTexts(values, block) : name in textsOf(block)

/** The values that are saved: mine where I have changed them, theirs where only they have. */
export function mergedValues(values: FormValues, block: ContentBlock): FormValues {
  const choices = mergedTexts({ ...values, keep: '' }, choicesOf(block))
  return { ...withStoredImage(values, block), ...mergedTexts(values, textsOf(block)), ...choices }
}

/** The values of a form that is shown again. */
export const withTheirValues = (values: FormValues, block: ContentBlock): FormValues =>
  withTheirTexts(withStoredImage(withoutGaps(values, block), block), {
    ...textsOf(block),
    ...choicesOf(block),
  })
