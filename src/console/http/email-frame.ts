/**
 * The images that a frame loads: none, those of this service, or also those of other servers, which
 * learn then that somebody reads.
 */
export type FrameImages = 'none' | 'own' | 'all'

interface EmailFrame {
  baseUrl: string
  images: FrameImages
}

/**
 * The HTML of an email for a sandboxed `iframe`: no scripts, no forms, no origin, and only pages of the
 * console can frame it.
 */
export function emailFrame(html: string, { baseUrl, images }: EmailFrame): Response {
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': framePolicy(imageSources(baseUrl)[images]),
      'x-frame-options': 'SAMEORIGIN',
    },
  })
}

const imageSources = (baseUrl: string) => ({
  none: 'data:',
  own: `data: 'self' ${new URL(baseUrl).origin}`,
  all: 'data: https: http:',
})

const framePolicy = (images: string) =>
  [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    `img-src ${images}`,
    // Emails have inline styles only.
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ')

/** Whether an email has images of other servers. */
export function hasRemoteImages(html: string, baseUrl: string): boolean {
  const addresses = [...html.matchAll(/<img[^>]*\ssrc="(https?:[^"]+)"/gi)].map(
    ([, src = '']) => src,
  )
  return addresses.some((address) => !address.startsWith(`${baseUrl}/media/`))
}
