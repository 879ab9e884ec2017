import type { ProcessedImage } from './process.ts'

const extensions = { jpeg: 'jpg', png: 'png' } as const

/**
 * How an image is cropped: `square` for portraits and pictures beside text, `wide` for covers, which are
 * at most half as high as wide.
 */
export type CropShape = 'square' | 'wide'

/** A crop around the place that stays visible, in quarters of the width and the height. */
export interface Crop {
  shape: CropShape
  column: number
  row: number
}

/** The place in an image that stays visible, from 0 (left, top) to 1; null is the middle. */
export interface FocalPoint {
  x: number | null
  y: number | null
}

/** The name of an image's file: its hash and its type. */
export const fileNameOf = ({ hash, type }: Pick<ProcessedImage, 'hash' | 'type'>): string =>
  `${hash}.${extensions[type]}`

interface ParsedFileName {
  hash: string
  contentType: string
  /** The name of the file that is cropped; null for a whole image. */
  original: string | null
  crop: Crop | null
}

/** What a file name states, or null for a name that is none of ours. */
export function parseFileName(name: string): ParsedFileName | null {
  const found = /^([0-9a-f]{64})(?:\.(square|wide)-([0-4])([0-4]))?\.(jpg|png)$/.exec(name)
  const [, hash, shape, column, row, extension] = found ?? []
  if (hash === undefined) return null
  const contentType = extension === 'png' ? 'image/png' : 'image/jpeg'
  if (shape === undefined) return { hash, contentType, original: null, crop: null }
  return {
    hash,
    contentType,
    original: `${hash}.${extension}`,
    crop: {
      shape: shape === 'square' ? 'square' : 'wide',
      column: Number(column),
      row: Number(row),
    },
  }
}

const quarterOf = (share: number | null) => Math.round((share ?? 0.5) * 4)

/** The address of a crop of an image of ours; every other address stays as it is. */
export const croppedAddress = (address: string, shape: CropShape, { x, y }: FocalPoint): string =>
  address.replace(
    /(\/media\/[0-9a-f]{64})\.(jpg|png)$/,
    `$1.${shape}-${quarterOf(x)}${quarterOf(y)}.$2`,
  )

/** The hash in the address of an image of ours, or null. */
export const hashInAddress = (address: string): string | null =>
  /\/media\/([0-9a-f]{64})\.(?:jpg|png)$/.exec(address)?.[1] ?? null

/** The hashes of all images of ours that a text refers to, each once. */
export const hashesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\/media\/([0-9a-f]{64})\./g)].map(([, hash = '']) => hash)),
]
