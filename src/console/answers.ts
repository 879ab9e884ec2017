import type { Arrival } from './page.ts'
import type { Flash } from './session.ts'

/**
 * Goes on to another page after a form (303), with a sentence for it to show. For htmx it is the whole
 * window that goes there.
 */
export function redirect(arrival: Arrival, path: string, flash?: Flash): Response {
  const htmx = arrival.request.headers.get('hx-request') === 'true'
  const headers = new Headers(htmx ? { 'hx-redirect': path } : { location: path })
  if (flash) headers.append('set-cookie', arrival.deps.seals.flashCookie(flash))
  return new Response(null, { status: htmx ? 200 : 303, headers })
}

export const good = (text: string): Flash => ({ tone: 'good', text })
export const bad = (text: string): Flash => ({ tone: 'bad', text })
