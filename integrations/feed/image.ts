import { Parser } from 'htmlparser2'
import { oneLine } from '../kit/text/fit-length.ts'
import { type Element, maxAddressCharacters } from './document.ts'

const imageNames = new Set([
  'enclosure',
  'media:content',
  'media:thumbnail',
  'media:group/media:content',
  'media:group/media:thumbnail',
  'media:content/media:thumbnail',
  'itunes:image',
  'link',
])

/** The image of an entry: one that the feed names, or the first in its texts, which are HTML. */
export function imageOf(elements: readonly Element[], texts: readonly string[], base: URL) {
  const named = elements.find(isImage)
  const { url, href } = named?.attributes ?? {}
  const found = { address: url ?? href ?? '', alt: '' }
  const image = named ? found : texts.map(firstImage).find((one) => one !== undefined)
  const address = URL.parse(image?.address ?? '', base.href)
  if (!image || address?.protocol !== 'https:' || address.href.length > maxAddressCharacters)
    return undefined
  return { address: address.href, alt: oneLine(image.alt, 500) || null }
}

function isImage({ name, attributes }: Element): boolean {
  const { url, href, type = '', medium = '', rel } = attributes
  if (!imageNames.has(name) || !(url ?? href)) return false
  if (name === 'link' && rel !== 'enclosure') return false
  if (name.endsWith('thumbnail') || name === 'itunes:image') return true
  return type.startsWith('image/') || medium === 'image'
}

interface ImageInText {
  address: string
  alt: string
}

/** Smaller images are icons, or count readers; in pixels. */
const minPixels = 80

/** An image further down is not looked for. */
const maxScannedCharacters = 200_000

/** The first image in a text that is not an icon. */
function firstImage(html: string): ImageInText | undefined {
  let found: ImageInText | undefined
  const parser = new Parser({
    onopentag(name, { src = '', alt = '', width, height }) {
      const isSmall = [width, height].some((size) => Number.parseInt(size ?? '', 10) < minPixels)
      if (name !== 'img' || src === '' || isSmall) return
      found = { address: src, alt }
      parser.pause()
    },
  })
  parser.write(html.slice(0, maxScannedCharacters))
  parser.end()
  return found
}
