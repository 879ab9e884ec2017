import * as v from 'valibot'
import { imageUse } from '../../../contract/image.ts'
import { contentAddress } from '../../../contract/text.ts'
import { createImage, maxUploadBytes, processImage } from '../../../features/images/index.ts'
import { invalidField } from '../../../lib/errors.ts'
import type { MemberRequest } from '../context.ts'
import { blank, checkbox } from './form-data.ts'

/** The role of routes whose form has an image: editors can upload one. */
export const editorsWithFile = { minimum: 'editor', maxFileBytes: maxUploadBytes } as const

/** An image as something uses it. */
export interface ImageUse {
  image_url: string | null
  /** Empty for an image that only decorates. */
  image_alt: string | null
  image_focal_x: number | null
  image_focal_y: number | null
}

/** The fields of an `ImageField` beside the file. */
export const ImageForm = v.object({
  image_url: blank(v.nullable(contentAddress)),
  image_alt: blank(imageUse.image_alt),
  image_decorative: checkbox,
  image_remove: checkbox,
  image_focus: v.optional(v.string(), ''),
})
type ImageForm = v.InferOutput<typeof ImageForm>

/** The fields of a form and those of its image. */
export function splitImage<Form extends ImageForm>(form: Form) {
  const { image_url, image_alt, image_decorative, image_remove, image_focus, ...rest } = form
  return { rest, image: { image_url, image_alt, image_decorative, image_remove, image_focus } }
}

/** The columns and rows of the grid in which the visible part is chosen, from 0 to 1. */
export const focusSteps = [0, 0.5, 1] as const

const nearestStep = (share: number | null) => Math.round((share ?? 0.5) * 2) / 2

/** The place in the grid that is nearest to a focal point, as the form sends it. */
export const focusOf = ({ image_focal_x: x, image_focal_y: y }: ImageUse): string =>
  `${nearestStep(x)} ${nearestStep(y)}`

/**
 * Reads the image of a form: the chosen file, which is stored, or else the address. Throws
 * `validation_failed` for a file that is not an image and, unless the text is optional, for an image without
 * a text that is not marked as decorative; an image that was stored by then is in the form that is shown
 * again.
 */
export async function readImage(
  context: MemberRequest,
  form: ImageForm,
  current: ImageUse,
  { textOptional = false } = {},
): Promise<ImageUse> {
  const image_url = await readAddress(context, form)
  if (image_url === null) {
    return { image_url, image_alt: null, image_focal_x: null, image_focal_y: null }
  }
  const image_alt = form.image_decorative ? '' : form.image_alt
  if (image_alt === null && !textOptional) {
    const message = 'say what the image shows, or mark it as decorative'
    throw invalidField('/image_alt', message, 'required')
  }
  return { image_url, image_alt, ...readFocus(form, current) }
}

async function readAddress(context: MemberRequest, form: ImageForm): Promise<string | null> {
  const url = await storeChosenImage(context)
  return url ?? (form.image_remove ? null : form.image_url)
}

/**
 * Stores the chosen file of a form, whose values then contain its address; they are shown again when the
 * form is not accepted. Returns the address, or null without a file. Throws `validation_failed`.
 */
export async function storeChosenImage(context: MemberRequest): Promise<string | null> {
  const { image: bytes, ...others } = context.files
  if (!bytes) return null
  const { url } = await storeUploadedImage(context, bytes)
  context.files = others
  Object.assign(context.values, { image_url: url, image_remove: '' })
  return url
}

/** Stores an uploaded image. Throws `validation_failed`. */
export async function storeUploadedImage({ ctx, deps }: MemberRequest, bytes: Uint8Array) {
  const file = await processImage(bytes)
  return await createImage({ ...ctx, ...deps.images }, { file })
}

/** A focal point between the places of the grid stays while nobody chooses another place. */
function readFocus({ image_focus }: ImageForm, current: ImageUse) {
  const { image_focal_x, image_focal_y } = current
  if (image_focus === focusOf(current)) return { image_focal_x, image_focal_y }
  const [x, y] = image_focus.split(' ').map(Number)
  const isPlace = focusSteps.some((step) => step === x) && focusSteps.some((step) => step === y)
  return isPlace && x !== undefined && y !== undefined
    ? { image_focal_x: x, image_focal_y: y }
    : { image_focal_x: null, image_focal_y: null }
}
