/**
 * True unless a browser says that another site made it send this request. `Sec-Fetch-Site` is told by
 * the browser itself; over plain http it is missing, and `Origin` must name us. A request with
 * neither is not from a browser, and has no session that it did not bring itself.
 */
export function isOwnOrigin(request: Request, baseUrl: string): boolean {
  const site = request.headers.get('sec-fetch-site')
  const origin = request.headers.get('origin')
  if (site !== null && site !== 'same-origin' && site !== 'none') return false
  if (origin === null) return true
  const ours = [new URL(baseUrl).host, request.headers.get('host')]
  return ours.includes(URL.parse(origin)?.host ?? 'nobody')
}

/** A path on this site to go to after sign-in; anything else, however it is spelled, is where work is. */
export function safePath(next: string | null | undefined): string {
  const fallback = '/home'
  if (!next?.startsWith('/') || /[\\\p{Cc}]/u.test(next)) return fallback
  const here = 'http://here.invalid'
  const url = URL.parse(next, here)
  const ours = url?.origin === here && !url.pathname.startsWith('//')
  return ours ? url.pathname + url.search : fallback
}
