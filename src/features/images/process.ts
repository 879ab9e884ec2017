import { createHash } from 'node:crypto'
import Bottleneck from 'bottleneck'
import type { OutputInfo, Sharp } from 'sharp'
import { invalidField } from '../../lib/errors.ts'

/** The largest file that is accepted, in bytes. */
export const maxUploadBytes = 10 * 1024 * 1024
/** Enough for a photo of the largest phone cameras (48 megapixels). */
const maxPixels = 50_000_000
const maxWidthPx = 1200
const maxHeightPx = 4000
const timeoutSeconds = 10
const limits = { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true } as const
/** The quality of JPEG files, from 1 to 100. */
const quality = 82
/** A PNG without transparency that is larger than this is stored as JPEG. */
const maxOpaquePngBytes = 300 * 1024

/** An image in the form in which it is stored and sent. */
export interface ProcessedImage {
  bytes: Uint8Array
  /** SHA-256 of `bytes` in hex. */
  hash: string
  type: 'jpeg' | 'png'
  width: number
  height: number
}

// One image needs up to 200 MB while it is decoded.
const limiter = new Bottleneck({ maxConcurrent: 2 })

/**
 * Decodes an image and encodes it again as JPEG or PNG: the first frame, upright, in sRGB, at most
 * 1200 × 4000 pixels, without metadata. No byte of the uploaded file is kept. The type is
 * recognized by content. Throws `validation_failed` for any file that is not a JPEG, PNG, GIF, WebP
 * or AVIF image within the limits.
 */
export async function processImage(bytes: Uint8Array): Promise<ProcessedImage> {
  if (bytes.length > maxUploadBytes) throw unusable('must be at most 10 MiB', 'too_large')
  try {
    return await limiter.schedule(() => encode(bytes))
  } catch (error) {
    throw unusable(reasonOf(error), 'not_an_image')
  }
}

type CreateSharp = typeof import('sharp')['default']

let loading: Promise<CreateSharp> | undefined

/** sharp is loaded with the first image, with decoders for these five formats only. */
function loadSharp(): Promise<CreateSharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: [
        'VipsForeignLoadJpegBuffer',
        'VipsForeignLoadPngBuffer',
        'VipsForeignLoadNsgifBuffer',
        'VipsForeignLoadWebpBuffer',
        'VipsForeignLoadHeifBuffer',
      ],
    })
    return sharp
  })
  return loading
}

/** Changes a stored image, within the limits of an upload and in its own format. */
export async function decodeWithLimits(
  bytes: Uint8Array,
  change: (image: Sharp, size: { width: number; height: number }) => Sharp,
): Promise<Uint8Array> {
  return await limiter.schedule(async () => {
    const sharp = await loadSharp()
    const image = sharp(bytes, limits).timeout({ seconds: timeoutSeconds })
    return await change(image, await image.metadata())
      .jpeg({ quality, force: false })
      .toBuffer()
  })
}

async function encode(bytes: Uint8Array): Promise<ProcessedImage> {
  const sharp = await loadSharp()
  const { format, hasAlpha } = await sharp(bytes, limits).metadata()
  const size = { width: maxWidthPx, height: maxHeightPx, fit: 'inside' } as const
  const image = sharp(bytes, limits)
    .autoOrient()
    .resize({ ...size, withoutEnlargement: true })
    .toColourspace('srgb')
    .timeout({ seconds: timeoutSeconds })
  if (format === 'png' || format === 'gif' || hasAlpha) {
    const png = await output(image.clone().png({ compressionLevel: 9 }))
    if (png.data.length <= maxOpaquePngBytes || !(await sharp(png.data).stats()).isOpaque) {
      return processed(png, 'png')
    }
  }
  return processed(await output(image.flatten({ background: '#fff' }).jpeg({ quality })), 'jpeg')
}

interface Output {
  data: Buffer
  info: OutputInfo
}

const output = (image: Sharp): Promise<Output> => image.toBuffer({ resolveWithObject: true })

const processed = ({ data, info }: Output, type: ProcessedImage['type']): ProcessedImage => ({
  bytes: data,
  hash: createHash('sha256').update(data).digest('hex'),
  type,
  width: info.width,
  height: info.height,
})

/** What is wrong with a file, without text of libvips. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (/pixel limit/i.test(message)) return 'must have at most 50 megapixels'
  if (/timeout/i.test(message)) return 'takes too long to decode; send a smaller one'
  return 'must be a complete JPEG, PNG, GIF, WebP or AVIF image'
}

/** The 422 for a file that cannot become an image. */
export const unusable = (reason: string, code: string) =>
  invalidField('/image', `image ${reason}`, code)
