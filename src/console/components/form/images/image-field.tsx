import type { Children } from '@kitajs/html'
import { attribute } from '../../../attribute.ts'
import type { ConsoleRequest, SubmittedForm } from '../../../http/context.ts'
import { textOf } from '../../../http/forms/form-data.ts'
import { focusOf, focusSteps, type ImageUse } from '../../../http/forms/image-form.ts'
import type { Translate } from '../../../locales/index.ts'
import { uploadedPath } from '../../uploaded-image.ts'
import { Checkbox, Field } from '../form.tsx'
import { FileField } from './file-field.tsx'

/** The media types of the files that can be uploaded. */
export const imageTypes = 'image/jpeg,image/png,image/gif,image/webp,image/avif'

/** The names of the fields of an `ImageField`; it shows their errors. */
export const imageFieldNames = ['image', 'image_url', 'image_alt']

interface ImageFieldProps {
  t: Translate
  context: ConsoleRequest
  use: ImageUse
  label: string
  hint?: string
  /** What readers get without a text, where the text is optional. */
  withoutText?: string | undefined
  /** The image is cropped in newsletters: people choose what stays visible. */
  cropped?: boolean
  submitted?: SubmittedForm | undefined
  /** More fields, above the web address. */
  children?: Children
}

/**
 * The fields of an image: file or web address, text for readers who do not see it, and what stays visible.
 * Its form needs `upload`, its page `image-field.js`, which adds dragging, pasting and the progress. With scripts, only
 * the file and the web address are shown before there is an image.
 */
export function ImageField(props: ImageFieldProps) {
  const { t, context, use, label, hint, withoutText, cropped, submitted, children } = props
  const address = submitted ? textOf(submitted.values, 'image_url') : (use.image_url ?? '')
  const path = uploadedPath(context.deps, address)
  const focus = submitted ? textOf(submitted.values, 'image_focus') : focusOf(use)
  const alt = submitted ? textOf(submitted.values, 'image_alt') : (use.image_alt ?? '')
  return (
    <fieldset class="image-field" data-image-field data-has-image={address !== '' || alt !== ''}>
      <legend safe>{label}</legend>
      <div class="image-field-parts">
        <div class="image-preview" data-image-preview hidden={path === null}>
          <div class="image-frame">
            <img src={path ? attribute(path) : undefined} alt="" />
            {cropped ? <FocusGrid t={t} focus={focus} /> : null}
          </div>
          {cropped ? (
            <p class="hint" id="image-focus-label">
              {t('blocks.the_marked_place_stays_visible')}
            </p>
          ) : null}
        </div>
        <div>
          <FileField
            name="image"
            label={t('blocks.file')}
            hint={hint ?? t('blocks.jpeg_png_gif_webp')}
            accept={imageTypes}
            submitted={submitted}
          />
          <p class="hint" data-requires-script>
            {t('blocks.you_can_also_drop')}
          </p>
          <progress
            class="image-progress"
            max="100"
            value="0"
            aria-label={t('blocks.upload')}
            hidden
          />
          <p class="image-message" role="status" data-image-message hidden />
        </div>
      </div>
      <div class="image-details">
        <TextFields t={t} use={use} withoutText={withoutText} submitted={submitted} />
        {children as 'safe'}
      </div>
      <details open={address !== '' && path === null}>
        <summary>{t('blocks.web_address')}</summary>
        <Field
          name="image_url"
          label={t('blocks.address_of_the_image')}
          type="url"
          hint={t('blocks.instead_of_a_file')}
          value={use.image_url ?? ''}
          submitted={submitted}
        />
      </details>
      <div data-image-remove hidden={address === ''}>
        <Checkbox name="image_remove" label={t('blocks.remove_the_image')} submitted={submitted} />
      </div>
    </fieldset>
  )
}

/** The text for readers who do not see the image, or that there is nothing to say. */
function TextFields({
  t,
  use,
  withoutText,
  submitted,
}: Pick<ImageFieldProps, 't' | 'use' | 'withoutText' | 'submitted'>) {
  return (
    <>
      <Field
        name="image_alt"
        label={t('blocks.what_the_image_shows')}
        hint={`${t('blocks.for_readers_who_do')} ${withoutText ?? ''}`.trim()}
        value={use.image_alt ?? ''}
        maxlength={500}
        submitted={submitted}
      />
      {withoutText ? null : (
        <Checkbox
          name="image_decorative"
          label={t('blocks.the_image_only_decorates')}
          hint={t('blocks.readers_who_do_not_see')}
          checked={use.image_url !== null && use.image_alt === ''}
          submitted={submitted}
        />
      )}
    </>
  )
}

const rows = ['blocks.top', 'blocks.middle', 'blocks.bottom'] as const
const columns = ['blocks.left', 'blocks.center', 'blocks.right'] as const

/** The name of a place, such as “Top left”. */
const placeName = (t: Translate, row: number, column: number): string =>
  `${t(rows[row] ?? 'blocks.middle')} ${t(columns[column] ?? 'blocks.center')}`

/** The name of a place as the form sends it. */
export function placeOf(t: Translate, focus: string): string {
  const [x, y] = focus.split(' ').map((share) => Number(share) * 2)
  return placeName(t, y ?? 1, x ?? 1)
}

/** Nine places over the image: the chosen one stays visible when the image is cropped. */
function FocusGrid({ t, focus }: { t: Translate; focus: string }) {
  return (
    <div class="focus-grid" role="radiogroup" aria-labelledby="image-focus-label">
      {focusSteps.flatMap((y, row) =>
        focusSteps.map((x, column) => (
          <label title={placeName(t, row, column)}>
            <input
              type="radio"
              name="image_focus"
              value={`${x} ${y}`}
              checked={focus === `${x} ${y}`}
            />
            <span class="visually-hidden" safe>
              {placeName(t, row, column)}
            </span>
          </label>
        )),
      )}
    </div>
  )
}
