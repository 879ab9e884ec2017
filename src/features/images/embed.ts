import { IncompleteEmailError, type InlineImage, type MailTransport } from '../../lib/mail/mail.ts'
import { withoutBrackets } from '../../lib/outbound/local-address.ts'
import { isPublicAddress } from '../../lib/outbound/ssrf-fetch.ts'
import type { Images } from './create.ts'
import { loadImage } from './load.ts'

type EmbeddedImages = Pick<Images, 'storage' | 'baseUrl'>

/** Beyond this, images stay links: many mail servers refuse larger emails. */
const maxEmbeddedBytes = 10 * 1024 * 1024

/**
 * Whether emails have to contain the images of a service: readers cannot load them from an address
 * without https, on this computer or in a private network.
 */
function needsEmbedding(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol !== 'https:') return true
  const host = withoutBrackets(hostname)
  if (/^[\d.]+$|:/.test(host)) return !isPublicAddress(host)
  return !host.includes('.') || /\.(?:localhost|local|internal|lan|home\.arpa|test)$/.test(host)
}

/** The images of the service in an email, by their addresses there, as far as they fit. */
async function loadImages(
  { storage, baseUrl }: EmbeddedImages,
  html: string,
): Promise<Map<string, { name: string; bytes: Uint8Array; contentType: string }>> {
  const found = new Map<string, { name: string; bytes: Uint8Array; contentType: string }>()
  let total = 0
  for (const [, address = ''] of html.matchAll(/\ssrc="([^"]+)"/g)) {
    if (found.has(address) || !address.startsWith(`${baseUrl}/media/`)) continue
    const name = address.slice(`${baseUrl}/media/`.length)
    const file = await loadImage(storage, name)
    if (!file || total + file.bytes.length > maxEmbeddedBytes) continue
    total += file.bytes.length
    found.set(address, { name, ...file })
  }
  return found
}

const withSources = (html: string, sources: ReadonlyMap<string, string>): string =>
  html.replaceAll(/(\ssrc=")([^"]+)"/g, (whole, start: string, address: string) => {
    const source = sources.get(address)
    return source === undefined ? whole : `${start}${source}"`
  })

/** An email whose images are parts of it, which it refers to by content id (RFC 2392). */
export async function embedImages<Mail extends { html: string }>(
  images: EmbeddedImages,
  mail: Mail,
): Promise<Mail & { images: InlineImage[] }> {
  if (!needsEmbedding(images.baseUrl)) return { ...mail, images: [] }
  const found = [...(await loadImages(images, mail.html))].map(([address, image]) => ({
    ...image,
    address,
    contentId: `${image.name}@tidings`,
  }))
  const sources = new Map(found.map(({ address, contentId }) => [address, `cid:${contentId}`]))
  return { ...mail, html: withSources(mail.html, sources), images: found }
}

/** HTML whose images are data URIs, for pasting it where the service is not reached. */
export async function inlineImages(images: EmbeddedImages, html: string): Promise<string> {
  if (!needsEmbedding(images.baseUrl)) return html
  const found = [...(await loadImages(images, html))].map(
    ([address, { bytes, contentType }]) =>
      [address, `data:${contentType};base64,${Buffer.from(bytes).toString('base64')}`] as const,
  )
  return withSources(html, new Map(found))
}

/** A transport whose emails contain their images where readers cannot load them. */
export const withEmbeddedImages = (
  transport: MailTransport,
  images: EmbeddedImages,
): MailTransport => ({
  async send(mail) {
    const complete = await embedImages(images, mail).catch((cause: unknown) => {
      const message = 'The images of the email could not be read from where they are stored.'
      throw new IncompleteEmailError(message, { cause })
    })
    await transport.send(complete)
  },
})
