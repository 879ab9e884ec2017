import type { NewsletterSummary } from '../../../../contract/newsletters/newsletter.ts'
import { imageTexts, withStoredImage } from '../../../components/form/images/image-conflicts.ts'
import { type Texts, withTheirTexts } from '../../../components/form/text-conflicts.tsx'
import type { FormValues } from '../../../http/forms/form-data.ts'
import type { ImageUse } from '../../../http/forms/image-form.ts'

/** The image of the cover of a newsletter. */
export const coverImageOf = (newsletter: NewsletterSummary): ImageUse => ({
  image_url: newsletter.cover_image_url,
  image_alt: newsletter.cover_image_alt,
  image_focal_x: newsletter.cover_focal_x,
  image_focal_y: newsletter.cover_focal_y,
})

const choicesOf = (newsletter: NewsletterSummary, brandColor: string): Texts => ({
  has_cover_color: newsletter.cover_color === null ? '' : 'on',
  cover_color: newsletter.cover_color ?? brandColor,
  table_of_contents: String(newsletter.table_of_contents ?? 'auto'),
})

/** The fields of the cover as its form shows them. */
export const coverTexts = (newsletter: NewsletterSummary, brandColor: string): Texts => ({
  ...imageTexts(coverImageOf(newsletter)),
  ...choicesOf(newsletter, brandColor),
})

/** The values of a form, in which what it does not change of the cover is as it is stored now. */
export function withStoredCover(
  values: FormValues,
  newsletter: NewsletterSummary,
  brandColor: string,
): FormValues {
  const choices = choicesOf(newsletter, brandColor)
  // A form that does not say what it showed.
  if (!Object.keys(choices).every((name) => `original_${name}` in values)) return values
  return withTheirTexts(withStoredImage(values, coverImageOf(newsletter)), choices)
}
