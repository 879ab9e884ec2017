import { type FormValues, listValuesOf, textOf } from '../../../http/forms/form-data.ts'
import { focusOf, type ImageUse } from '../../../http/forms/image-form.ts'
import { type Conflict, keepsBoth, type Texts } from '../text-conflicts.tsx'

/** The fields of an image as its form shows them. */
export const imageTexts = (use: ImageUse): Texts => ({
  image_url: use.image_url ?? '',
  image_alt: use.image_alt ?? '',
  image_decorative: use.image_url !== null && use.image_alt === '' ? 'on' : '',
  image_focus: focusOf(use),
})

/** Fields that one decision changes. */
const decisions = [['image_url'], ['image_alt', 'image_decorative'], ['image_focus']] as const
const allNames = decisions.flat()

/** The image that the values of a form describe, or with a prefix the one that it showed. */
function imageIn(values: FormValues, prefix = ''): Texts {
  const read = (name: string) => textOf(values, prefix + name).trim()
  const url = read('image_remove') ? '' : read('image_url')
  // Without an image, the other fields say nothing.
  if (url === '') return Object.fromEntries(allNames.map((name) => [name, '']))
  const texts = Object.fromEntries(allNames.map((name) => [name, read(name)]))
  return { ...texts, ...(texts['image_decorative'] && { image_alt: '' }) }
}

const isSame = (one: Texts, other: Texts, names: readonly string[] = allNames): boolean =>
  names.every((name) => one[name] === other[name])

/** The image of a form, the one that it showed, and the one that is stored now. */
const imagesOf = (values: FormValues, use: ImageUse) => ({
  mine: imageIn(values),
  before: imageIn(values, 'original_'),
  theirs: imageIn(imageTexts(use)),
})

/**
 * The image, when two people have changed the same of it. Its text and its visible part belong to the image
 * that they were written for, so a new image is in conflict with a change of them.
 */
export function findImageConflicts(values: FormValues, use: ImageUse): Conflict[] {
  if (!('original_image_url' in values)) return []
  const { mine, before, theirs } = imagesOf(values, use)
  if ([before, theirs].some((one) => isSame(one, mine)) || isSame(theirs, before)) return []
  const isSameImage = [mine, theirs].every((one) => isSame(one, before, ['image_url']))
  const isSeparate = decisions.every((names) =>
    [
      [mine, before],
      [theirs, before],
      [mine, theirs],
    ].some(([one = {}, other = {}]) => isSame(one, other, names)),
  )
  return isSameImage && isSeparate ? [] : [{ name: 'image', theirs: theirs['image_url'] ?? '' }]
}

/** The same conflict, when the form showed it and an error kept it from being saved. */
export function seenImageConflicts(values: FormValues, use: ImageUse): Conflict[] {
  const { mine, theirs } = imagesOf(values, use)
  const isDecided = !listValuesOf(values, 'conflict[]').includes('image') || isSame(mine, theirs)
  return isDecided ? [] : [{ name: 'image', theirs: theirs['image_url'] ?? '' }]
}

/** Whether the form and what is stored describe the same image with two texts, which can both be kept. */
export function hasTwoTexts(values: FormValues, use: ImageUse): boolean {
  const { mine, theirs } = imagesOf(values, use)
  const texts = [mine, theirs].map((one) => one['image_alt'])
  return isSame(mine, theirs, ['image_url']) && new Set(texts).size === 2 && !texts.includes('')
}

/** The values of a form, in which what it does not change of the image is as it is stored now. */
export function withStoredImage(values: FormValues, use: ImageUse): FormValues {
  if (!('original_image_url' in values)) return values
  const { mine, before } = imagesOf(values, use)
  // What the form says about its own image is not true of another one.
  if (!isSame(mine, before, ['image_url'])) return values
  const stored = imageTexts(use)
  const unchanged = decisions.filter((names) => isSame(mine, before, names)).flat()
  const kept = Object.fromEntries(unchanged.map((name) => [name, stored[name] ?? '']))
  return { ...values, image_remove: '', ...joinedText(values, use), ...kept }
}

/** Both texts of an image that two people have changed, when the person has chosen to keep both. */
function joinedText(values: FormValues, use: ImageUse) {
  const [theirs = '', mine = ''] = [use.image_alt ?? '', imageIn(values)['image_alt']]
  const isInConflict =
    listValuesOf(values, 'conflict[]').includes('image') ||
    findImageConflicts(values, use).length > 0
  const isJoined = keepsBoth(values) && isInConflict && ![theirs, ''].includes(mine)
  return isJoined && theirs !== '' ? { image_alt: `${theirs} / ${mine}` } : {}
}
