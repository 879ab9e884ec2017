import type { ConsoleRequest } from './context.ts'
import type { Flash } from './csrf-and-flash.ts'

/**
 * Goes on to another page after a form (303), with a sentence for it to show. For htmx it is the whole
 * window that goes there.
 */
export function redirect(
  context: ConsoleRequest,
  path: string,
  { flash, cookies = [] }: { flash?: Flash; cookies?: readonly string[] } = {},
): Response {
  const htmx = context.request.headers.get('hx-request') === 'true'
  const headers = new Headers(htmx ? { 'hx-redirect': path } : { location: path })
  if (flash) headers.append('set-cookie', context.deps.csrfAndFlash.flashCookie(flash))
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: htmx ? 200 : 303, headers })
}

/** A part of a page, for a script that puts it in its place. */
export async function fragment(body: JSX.Element): Promise<Response> {
  return new Response(await body, { headers: { 'content-type': 'text/html; charset=utf-8' } })
}

/** A sentence for the next page: it worked. */
export const success = (text: string) => ({ flash: { tone: 'good', text } as const })

/** A sentence for the next page: it did not. */
export const failure = (text: string) => ({ flash: { tone: 'bad', text } as const })

/** True when the reader has asked for the images of other websites. */
export const showsImages = ({ url }: ConsoleRequest): boolean =>
  url.searchParams.get('images') === 'shown'

const framePolicy = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  'img-src data:',
  // Mail has its looks in style attributes and nowhere else.
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/**
 * A mail or a newsletter, for an `iframe` of ours: no script, no form, no origin of its own, and only
 * our pages may frame it.
 */
export function framed(html: string, { images }: { images: boolean }): Response {
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': images
        ? framePolicy.replace('img-src data:', 'img-src data: https: http:')
        : framePolicy,
      'x-frame-options': 'SAMEORIGIN',
    },
  })
}
