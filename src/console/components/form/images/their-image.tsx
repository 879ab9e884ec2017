import { attribute } from '../../../attribute.ts'
import type { ConsoleRequest } from '../../../http/context.ts'
import { focusOf, type ImageUse } from '../../../http/forms/image-form.ts'
import { uploadedPath } from '../../uploaded-image.ts'
import { placeOf } from './image-field.tsx'

/** The image that another person has saved, for the notice above the form. Images of other websites are not loaded. */
export function TheirImage({ context, use }: { context: ConsoleRequest; use: ImageUse }) {
  const { t, deps } = context
  const { image_url, image_alt } = use
  if (image_url === null) return <p>{t('newsletters.they_removed_the_image')}</p>
  const path = uploadedPath(deps, image_url)
  const description = image_alt === '' ? t('blocks.the_image_only_decorates') : image_alt
  return (
    <blockquote class="their-text">
      {path ? <img class="their-image" src={attribute(path)} alt="" /> : <p safe>{image_url}</p>}
      <p safe>{`${t('library.image')}: ${description ?? image_url}`}</p>
      <p safe>{t('newsletters.this_part_stays_visible', { place: placeOf(t, focusOf(use)) })}</p>
    </blockquote>
  )
}
