import { toBody } from '../../lib/http/index.ts'
import { compressed } from './compressed.ts'

/**
 * The images that a frame loads: none, those of this service, or also those of other servers, which
 * learn then that somebody reads.
 */
export type FrameImages = 'none' | 'own' | 'all'

interface EmailFrame {
  baseUrl: string
  images: FrameImages
  /** Whether the page around the frame may measure what it shows. */
  measurable?: boolean
  /** The request for an email that contains no secret, so that it may be compressed. */
  compressedFor?: Request
}

/**
 * The HTML of an email for a sandboxed `iframe`: no scripts, no forms, no origin, and only pages of the
 * console can frame it. A measurable frame has the origin of the console, and still no scripts.
 */
export function emailFrame(
  html: string,
  { baseUrl, images, measurable = false, compressedFor }: EmailFrame,
): Response {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': framePolicy(imageSources(baseUrl)[images], measurable),
    'x-frame-options': 'SAMEORIGIN',
  }
  return compressedFor
    ? compressed(compressedFor, html, { headers })
    : new Response(toBody(html), { headers })
}

const imageSources = (baseUrl: string) => ({
  none: 'data:',
  own: `data: 'self' ${new URL(baseUrl).origin}`,
  all: 'data: https: http:',
})

const framePolicy = (images: string, measurable: boolean) =>
  [
    `sandbox ${frameSandbox(measurable)}`,
    "default-src 'none'",
    `img-src ${images}`,
    // Emails have inline styles only.
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ')

/** What the page in a frame may do; scripts and forms are never among it. */
export const frameSandbox = (measurable: boolean): string =>
  `${measurable ? 'allow-same-origin ' : ''}allow-popups allow-popups-to-escape-sandbox`

/** Whether an email has images of other servers. */
export function hasRemoteImages(html: string, baseUrl: string): boolean {
  const addresses = [...html.matchAll(/<img[^>]*\ssrc="(https?:[^"]+)"/gi)].map(
    ([, src = '']) => src,
  )
  return addresses.some((address) => !address.startsWith(`${baseUrl}/media/`))
}
