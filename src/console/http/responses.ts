import type { ConsoleRequest } from './context.ts'
import type { Flash } from './forms/csrf-and-flash.ts'

/**
 * Redirects to another page after a form (303), with a message for that page. For htmx and scripts it is
 * an `HX-Redirect`, which changes the whole page.
 */
export function redirect(
  context: ConsoleRequest,
  path: string,
  { flash, cookies = [] }: { flash?: Flash; cookies?: readonly string[] } = {},
): Response {
  const htmx = context.request.headers.get('hx-request') === 'true'
  const headers = new Headers(htmx ? { 'hx-redirect': path } : { location: path })
  if (flash) headers.append('set-cookie', context.deps.csrfAndFlash.flashCookie(flash))
  return withCookies(new Response(null, { status: htmx ? 200 : 303, headers }), cookies)
}

/** The same response, which also sets these cookies. */
export function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

/** A part of a page that a script inserts. */
export async function fragment(body: JSX.Element): Promise<Response> {
  return new Response(await body, { headers: { 'content-type': 'text/html; charset=utf-8' } })
}

/** A success message for the next page. */
export const success = (text: string) => ({ flash: { tone: 'success', text } as const })

/** An error message for the next page. */
export const failure = (text: string) => ({ flash: { tone: 'danger', text } as const })

/** True when the person has asked for remote images. */
export const showsImages = ({ url }: ConsoleRequest): boolean =>
  url.searchParams.get('images') === 'shown'
