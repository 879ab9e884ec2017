import type { Children } from '@kitajs/html'
import { attribute } from '../../attribute.ts'
import type { ConsoleRequest, SubmittedForm } from '../../http/context.ts'
import { textOf } from '../../http/form-data.ts'
import { focusOf, focusSteps, type ImageUse } from '../../http/image-form.ts'
import { uploadedPath } from '../uploaded-image.ts'
import { FileField } from './file-field.tsx'
import { Checkbox, Field } from './form.tsx'

/** The media types of the files that can be uploaded. */
export const imageTypes = 'image/jpeg,image/png,image/gif,image/webp,image/avif'

/** The names of the fields of an `ImageField`; it shows their errors. */
export const imageFieldNames = ['image', 'image_url', 'image_alt']

interface ImageFieldProps {
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
 * Its form needs `upload`, its page `image-field.js`, which adds dragging, pasting and the progress.
 */
export function ImageField(props: ImageFieldProps) {
  const { context, use, label, hint, withoutText, cropped, submitted, children } = props
  const address = submitted ? textOf(submitted.values, 'image_url') : (use.image_url ?? '')
  const path = uploadedPath(context.deps, address)
  const focus = submitted ? textOf(submitted.values, 'image_focus') : focusOf(use)
  return (
    <fieldset class="image-field" data-image-field>
      <legend safe>{label}</legend>
      <div class="image-field-parts">
        <div class="image-preview" data-image-preview hidden={path === null}>
          <div class="image-frame">
            <img src={path ? attribute(path) : undefined} alt="" />
            {cropped ? <FocusGrid focus={focus} /> : null}
          </div>
          {cropped ? (
            <p class="hint" id="image-focus-label">
              The marked place stays visible when the image is cropped.
            </p>
          ) : null}
        </div>
        <div>
          <FileField
            name="image"
            label="File"
            hint={hint ?? 'JPEG, PNG, GIF, WebP or AVIF of at most 10 MB.'}
            accept={imageTypes}
            submitted={submitted}
          />
          <p class="hint" data-requires-script hidden>
            You can also drop an image here, or paste one.
          </p>
          <progress class="image-progress" max="100" value="0" aria-label="Upload" hidden />
          <p class="image-message" role="status" data-image-message hidden />
        </div>
      </div>
      <TextFields use={use} withoutText={withoutText} submitted={submitted} />
      {children as 'safe'}
      <details open={address !== '' && path === null}>
        <summary>Web address</summary>
        <Field
          name="image_url"
          label="Address of the image"
          type="url"
          hint="Instead of a file. The newsletter loads the image from there."
          value={use.image_url ?? ''}
          submitted={submitted}
        />
      </details>
      <div data-image-remove hidden={address === ''}>
        <Checkbox name="image_remove" label="Remove the image" submitted={submitted} />
      </div>
    </fieldset>
  )
}

/** The text for readers who do not see the image, or that there is nothing to say. */
function TextFields({
  use,
  withoutText,
  submitted,
}: Pick<ImageFieldProps, 'use' | 'withoutText' | 'submitted'>) {
  return (
    <>
      <Field
        name="image_alt"
        label="What the image shows"
        hint={`For readers who do not see it. ${withoutText ?? ''}`.trim()}
        value={use.image_alt ?? ''}
        maxlength={500}
        submitted={submitted}
      />
      {withoutText ? null : (
        <Checkbox
          name="image_decorative"
          label="The image only decorates"
          hint="Readers who do not see it miss nothing."
          checked={use.image_url !== null && use.image_alt === ''}
          submitted={submitted}
        />
      )}
    </>
  )
}

const rows = ['Top', 'Middle', 'Bottom'] as const
const columns = ['left', 'center', 'right'] as const

/** Nine places over the image: the chosen one stays visible when the image is cropped. */
function FocusGrid({ focus }: { focus: string }) {
  return (
    <div class="focus-grid" role="radiogroup" aria-labelledby="image-focus-label">
      {focusSteps.flatMap((y, row) =>
        focusSteps.map((x, column) => (
          <label title={`${rows[row]} ${columns[column]}`}>
            <input
              type="radio"
              name="image_focus"
              value={`${x} ${y}`}
              checked={focus === `${x} ${y}`}
            />
            <span class="visually-hidden" safe>{`${rows[row]} ${columns[column]}`}</span>
          </label>
        )),
      )}
    </div>
  )
}
