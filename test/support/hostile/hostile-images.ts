import { deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** Random pixels, which no format compresses to nothing. */
const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })

/** A photo-like image of 1600 × 1000 pixels. */
export const largePhoto = () => noise(1600, 1000).jpeg().toBuffer()

/** A photo-like image, another one each time. */
export const photo = () => noise(90, 60).jpeg().toBuffer()

/** A photo with the place where it was taken, its camera, and turned by 90 degrees. */
export const photoWithGps = () =>
  noise(160, 100)
    .withMetadata({
      orientation: 6,
      exif: {
        IFD0: { Make: 'CanaryCamera', Artist: 'Canary Person' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1' },
      },
    })
    .jpeg()
    .toBuffer()

/** A GIF of 40 × 30 pixels with a red and then a blue frame. */
export async function animation(): Promise<Buffer> {
  const frame = (background: string) =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer()
  const frames = [await frame('#ff0000'), await frame('#0000ff')]
  return await sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 100] })
    .toBuffer()
}

export const cmyk = () => noise(40, 30).toColourspace('cmyk').jpeg().toBuffer()

/** A PNG that claims a size and consists of zeros: a few kilobytes that decode to gigabytes. */
function pngBomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(Math.min(height, 200) * (width * 3 + 1)))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(Bun.hash.crc32(content), 4)
  return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)])
}

/** What a browser must never get from us: markup and scripts in the canary's name. */
export const canary = '<script>alert("canary")</script>'

/** Files that are valid images and something else at the same time. */
export async function polyglots(): Promise<[name: string, file: Buffer][]> {
  const jpeg = await noise(60, 40).jpeg().toBuffer()
  const png = await noise(30, 20).png().toBuffer()
  const gif = await animation()
  const comment = Buffer.from(canary)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(comment.length + 2)
  const withComment = [jpeg.subarray(0, 2), Buffer.from([0xff, 0xfe]), length, comment]
  const zip = Buffer.concat([
    Buffer.from('504b0304', 'hex'),
    comment,
    Buffer.from('504b0506', 'hex'),
  ])
  return [
    ['a JPEG with HTML behind it', Buffer.concat([jpeg, Buffer.from(`<html>${canary}</html>`)])],
    ['a JPEG with a script in a comment', Buffer.concat([...withComment, jpeg.subarray(2)])],
    ['a JPEG with a ZIP file behind it', Buffer.concat([jpeg, zip])],
    ['a PNG with HTML behind it', Buffer.concat([png, Buffer.from(canary)])],
    [
      'a PNG with a script in a text chunk',
      Buffer.concat([
        png.subarray(0, 33),
        chunk('tEXt', Buffer.from(`Comment\0${canary}`)),
        png.subarray(33),
      ]),
    ],
    ['a GIF that is a script', Buffer.concat([gif, Buffer.from(`/*${canary}*/`)])],
    ['a JPEG with a script in its XMP data', await withXmp()],
    ['a JPEG with a script in place of its color profile', withProfile(jpeg)],
    ['a PNG with a PDF behind it', Buffer.concat([png, Buffer.from(`%PDF-1.4\n${canary}\n%%EOF`)])],
  ]
}

const withXmp = () =>
  noise(30, 20)
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${canary}</x:xmpmeta>`)
    .jpeg()
    .toBuffer()

/** A JPEG whose color profile (APP2) is a script. */
function withProfile(jpeg: Buffer): Buffer {
  const profile = Buffer.from(`ICC_PROFILE\0\x01\x01${canary}`, 'latin1')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(profile.length + 2)
  return Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from([0xff, 0xe2]),
    length,
    profile,
    jpeg.subarray(2),
  ])
}

/** Files that must not become images, whatever they are called. */
export async function notImages(): Promise<[name: string, file: Buffer][]> {
  const jpeg = await noise(60, 40).jpeg().toBuffer()
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${canary}</svg>`
  const tiff = await noise(30, 20).tiff().toBuffer()
  const webp = await noise(60, 40).webp().toBuffer()
  const png = await noise(60, 40).png().toBuffer()
  const from = (text: string) => Buffer.from(text)
  return [
    ['an SVG', from(svg)],
    ['an SVG with an XML declaration', from(`<?xml version="1.0"?>\n<!DOCTYPE svg>${svg}`)],
    ['an SVG behind the signature of a GIF', from(`GIF89a${svg}`)],
    ['an HTML page', from(`<!doctype html><html>${canary}</html>`)],
    ['HTML behind the signature of a GIF', from(`GIF89a/*${canary}*/=1;`)],
    ['HTML behind the signature of a JPEG', Buffer.concat([jpeg.subarray(0, 4), from(canary)])],
    ['HTML behind the signature of a PNG', Buffer.concat([png.subarray(0, 8), from(canary)])],
    ['a script', from('import os; os.system("canary")')],
    ['a PDF', from(`%PDF-1.7\n${canary}`)],
    ['a PostScript program', from('%!PS\n(canary) show')],
    ['an ImageMagick script', from('push graphic-context\nfill "url(https://canary/)"')],
    ['a ZIP file', Buffer.from('504b030414000000', 'hex')],
    ['an executable', Buffer.from('7f454c4602010100', 'hex')],
    ['a TIFF', tiff],
    ['a BMP', Buffer.concat([from('BM'), Buffer.alloc(200)])],
    ['an icon', Buffer.from('0000010001001010', 'hex')],
    ['random bytes', Buffer.from(crypto.getRandomValues(new Uint8Array(4096)))],
    ['zeros', Buffer.alloc(10_000)],
    ['a single byte', Buffer.from('x')],
    ['an empty file', Buffer.alloc(0)],
    ['a truncated JPEG', jpeg.subarray(0, Math.floor(jpeg.length / 2))],
    ['a truncated PNG', png.subarray(0, Math.floor(png.length / 2))],
    ['a truncated WebP', webp.subarray(0, Math.floor(webp.length / 2))],
    ['a PNG of 100 megapixels', pngBomb(10_000, 10_000)],
    ['a PNG of 4 gigapixels', pngBomb(65_535, 65_535)],
    ['a PNG of 30,000 × 2,000 pixels', pngBomb(30_000, 2_000)],
    ['a PNG of zero pixels', pngBomb(0, 0)],
    ['a PNG with fewer rows than it claims', pngBomb(2_000, 2_000)],
  ]
}

/** A PNG of 6 × 4 pixels in one color. */
export const tinyImage = (background: string) =>
  sharp({ create: { width: 6, height: 4, channels: 3, background } })
    .png()
    .toBuffer()

/** A small image in each format that is accepted. */
async function small(): Promise<[format: string, file: Buffer][]> {
  const image = noise(24, 16)
  return [
    ['JPEG', await image.clone().jpeg().toBuffer()],
    ['PNG', await image.clone().png().toBuffer()],
    ['GIF', await image.clone().gif().toBuffer()],
    ['WebP', await image.clone().webp().toBuffer()],
    ['AVIF', await image.clone().avif({ effort: 0 }).toBuffer()],
  ]
}

/** What is appended to an image, put in front of it and written into it. */
const foreign: readonly (readonly [name: string, bytes: Buffer])[] = [
  ['HTML', Buffer.from(`<!doctype html>${canary}`)],
  ['SVG', Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${canary}</svg>`)],
  ['a script', Buffer.from(`/*${canary}*/alert(1)`)],
  ['a PDF', Buffer.from(`%PDF-1.7\n${canary}`)],
  ['a ZIP file', Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.from(canary)])],
  ['zeros', Buffer.alloc(64)],
]

/** About two hundred files: those above, and images of each format that are changed in many ways. */
export async function hostileFiles(): Promise<[name: string, file: Buffer][]> {
  const images = await small()
  const changed = images.flatMap(([format, file]) => [
    ...[0.1, 0.3, 0.5, 0.7, 0.9].map((share): [string, Buffer] => [
      `${share * 100} % of a ${format}`,
      file.subarray(0, Math.floor(file.length * share)),
    ]),
    ...foreign.flatMap(([name, bytes]): [string, Buffer][] => [
      [`a ${format} with ${name} behind it`, Buffer.concat([file, bytes])],
      [`a ${format} with ${name} before it`, Buffer.concat([bytes, file])],
      [`a ${format} with ${name} inside`, overwritten(file, bytes)],
    ]),
    ...[4, 12, 16, 20, 24, 40, 64, 100].map((place): [string, Buffer] => [
      `a ${format} with another byte at ${place}`,
      overwritten(file, Buffer.from([0xff - (file[place] ?? 0)]), place),
    ]),
    ...images
      .filter(([other]) => other !== format)
      .map(([other, foreignFile]): [string, Buffer] => [
        `a ${other} behind the beginning of a ${format}`,
        Buffer.concat([file.subarray(0, 12), foreignFile]),
      ]),
  ])
  const whole: [string, Buffer][] = [
    ['a photo with its place', await photoWithGps()],
    ['an animation', await animation()],
    ['a CMYK image', await cmyk()],
  ]
  return [...(await polyglots()), ...(await notImages()), ...whole, ...changed]
}

function overwritten(file: Buffer, bytes: Buffer, place = Math.floor(file.length / 2)): Buffer {
  const copy = Buffer.from(file)
  bytes.copy(copy, place)
  return copy
}
