import { type FormValues, textOf } from '../../../http/forms/form-data.ts'
import { focusOf, type ImageUse } from '../../../http/forms/image-form.ts'
import type { Texts } from '../text-conflicts.tsx'

/** The fields of an image as its form shows them. They belong together. */
export const imageTexts = (use: ImageUse): Texts => ({
  image_url: use.image_url ?? '',
  image_alt: use.image_alt ?? '',
  image_decorative: use.image_url !== null && use.image_alt === '' ? 'on' : '',
  image_focus: focusOf(use),
})

/** True when the form does not change the image. */
function isImageUnchanged(values: FormValues): boolean {
  const names = ['image_url', 'image_alt', 'image_decorative', 'image_focus']
  const isSame = (name: string) => textOf(values, name) === textOf(values, `original_${name}`)
  const hadNone = textOf(values, 'original_image_url') === '' && textOf(values, 'image_url') === ''
  return 'original_image_url' in values && (hadNone || names.every(isSame))
}

/** The values of a form that does not change the image, with the image as it is stored now. */
export const withStoredImage = (values: FormValues, use: ImageUse): FormValues =>
  isImageUnchanged(values) ? { ...values, ...imageTexts(use) } : values
