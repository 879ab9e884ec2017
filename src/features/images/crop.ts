import type { Crop } from './address.ts'
import { decodeWithLimits } from './process.ts'

/** Twice as large as newsletters show it, for sharp screens. */
const maxSquarePx = 320

interface Size {
  width: number
  height: number
}

/** The part of an image that a crop shows. */
function partOf({ width, height }: Size, { shape, column, row }: Crop) {
  const side = Math.min(width, height)
  const part: Size =
    shape === 'square'
      ? { width: side, height: side }
      : { width, height: Math.max(1, Math.min(height, Math.round(width / 2))) }
  return {
    ...part,
    left: startOf(width, part.width, column / 4),
    top: startOf(height, part.height, row / 4),
  }
}

/** Where a part begins that has the focal point in its middle, as far as the image reaches. */
const startOf = (whole: number, part: number, focus: number) =>
  Math.round(Math.min(Math.max(focus * whole - part / 2, 0), whole - part))

/** A crop of a stored image, in the format of the image. */
export async function cropImage(bytes: Uint8Array, crop: Crop): Promise<Uint8Array> {
  return await decodeWithLimits(bytes, (image, size) => {
    const part = image.extract(partOf(size, crop))
    if (crop.shape === 'wide') return part
    const square = { width: maxSquarePx, height: maxSquarePx, withoutEnlargement: true }
    return part.resize(square)
  })
}
