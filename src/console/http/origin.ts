/**
 * True unless a browser states that another site sent this request. Browsers set `Sec-Fetch-Site` over
 * https; over http they set only `Origin`. A request with neither header is not from a browser, so no
 * other site can have used a session cookie of a person for it.
 */
export function isOwnOrigin(request: Request, baseUrl: string): boolean {
  const site = request.headers.get('sec-fetch-site')
  const origin = request.headers.get('origin')
  if (site !== null && site !== 'same-origin' && site !== 'none') return false
  if (origin === null) return true
  const ours = [new URL(baseUrl).host, request.headers.get('host')]
  return ours.includes(URL.parse(origin)?.host ?? 'nobody')
}

/** The characters of a path to open after sign-in, at most: it is part of other addresses, and is stored. */
export const maxNextLength = 2_000

/** The path on this site to open after sign-in; `/home` for every other or longer URL, however it is written. */
export function safePath(next: string | null | undefined): string {
  const fallback = '/home'
  if (!next?.startsWith('/') || /[\\\p{Cc}]/u.test(next)) return fallback
  const here = 'http://here.invalid'
  const url = URL.parse(next, here)
  const ours = url?.origin === here && !url.pathname.startsWith('//')
  if (!ours) return fallback
  const path = url.pathname + url.search
  return path.length <= maxNextLength ? path : fallback
}
