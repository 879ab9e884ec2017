import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { withoutBrackets } from './local-address.ts'

const timeoutMs = 10_000
const maxResponseBytes = 5 * 1024 * 1024

/**
 * A request that was refused or failed. The message contains the host and never the path, which can
 * be secret.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  /** Whether the same request can succeed later. */
  readonly canSucceedLater: boolean
  /** Whether there was no connection, so that the host has certainly not got the request. */
  readonly isUnconnected: boolean

  constructor(message: string, { canSucceedLater = false, isUnconnected = false } = {}) {
    super(message)
    this.canSucceedLater = canSucceedLater
    this.isUnconnected = isUnconnected
  }
}

export type SsrfFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

export interface SsrfFetchOptions {
  /** Hosts (`host` or `host:port`, in lower case) that may be private and called over http. */
  allowPrivate: readonly string[]
  /** Resolves a name; tests pass their own function. */
  resolve?: (host: string) => Promise<string[]>
  /** Sends the request to an address that was checked. */
  fetch?: typeof globalThis.fetch
}

const resolveName = async (host: string) =>
  (await lookup(host, { all: true, order: 'ipv4first' })).map(({ address }) => address)

/**
 * A `fetch` for addresses that users or providers choose: https only, public addresses only, no
 * redirects (`redirect: 'manual'` returns them), 10 s, responses up to 5 MiB. The name is resolved once, every address is checked, and
 * the request goes to a checked address, so that a second DNS response cannot change it. Throws
 * `OutboundError`.
 */
export function createSsrfFetch({
  allowPrivate,
  resolve = resolveName,
  fetch = globalThis.fetch,
}: SsrfFetchOptions): SsrfFetch {
  const allowed = new Set(allowPrivate)
  return async (address, init = {}) => {
    const url = checkedUrl(address, allowed)
    const deadline = AbortSignal.timeout(timeoutMs)
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline
    try {
      const to = await abortable(checkedAddress(url, isAllowed(url, allowed), resolve), signal)
      const response = await fetch(...pinned(url, to, init, signal))
      return await bounded(response, url.hostname, init.redirect === 'manual')
    } catch (error) {
      throw asOutboundError(error, url.hostname)
    }
  }
}

function checkedUrl(address: string | URL, allowed: ReadonlySet<string>): URL {
  const url = URL.parse(String(address))
  if (!url) throw new OutboundError('The address of the call is not a URL.')
  if (url.hostname === '')
    throw new OutboundError(`The call was refused: ${url.protocol} is not an address of the web.`)
  const secure = url.protocol === 'https:'
  if (!secure && !(url.protocol === 'http:' && isAllowed(url, allowed))) {
    throw new OutboundError(`The call to ${url.hostname} was refused: only https is allowed.`)
  }
  if (url.username + url.password !== '') {
    throw new OutboundError(`The call to ${url.hostname} was refused: it contains a password.`)
  }
  return url
}

function isAllowed({ hostname, port, protocol }: URL, allowed: ReadonlySet<string>): boolean {
  const portNumber = port || (protocol === 'https:' ? '443' : '80')
  return allowed.has(hostname) || allowed.has(`${hostname}:${portNumber}`)
}

async function checkedAddress(
  url: URL,
  anywhere: boolean,
  resolve: (host: string) => Promise<string[]>,
): Promise<string> {
  const literal = withoutBrackets(url.hostname)
  const addresses = ipaddr.isValid(literal) ? [literal] : await resolve(url.hostname)
  const [first] = addresses
  if (first === undefined) throw unreachable(`The host ${url.hostname} has no address.`)
  if (!anywhere && !addresses.every(isPublicAddress)) {
    throw new OutboundError(
      `The call to ${url.hostname} was refused: its address is not public. An operator can allow it with OUTBOUND_ALLOW_PRIVATE.`,
    )
  }
  return first
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * True for an address of the public internet: not private, loopback, link-local, shared, multicast
 * or reserved, and not one that contains an IPv4 address through mapping, NAT64, 6to4 or Teredo
 * (IANA special-purpose registries, RFC 6890).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast)
}

/** The same request to an IP address; TLS certificate and Host header use the name. */
function pinned(
  url: URL,
  address: string,
  init: RequestInit,
  signal: AbortSignal,
): [URL, BunFetchRequestInit] {
  const target = new URL(url)
  target.hostname = address.includes(':') ? `[${address}]` : address
  const headers = new Headers(init.headers)
  headers.set('host', url.host)
  const named = !ipaddr.isValid(withoutBrackets(url.hostname))
  return [
    target,
    {
      ...init,
      headers,
      signal,
      redirect: 'manual',
      // A connection that stays open would be shared by address, whatever its name was.
      keepalive: false,
      ...(named && { tls: { serverName: url.hostname } }),
    },
  ]
}

async function bounded(
  response: Response,
  host: string,
  returnsRedirects: boolean,
): Promise<Response> {
  const { status } = response
  if (status >= 300 && status < 400 && status !== 304) {
    await response.body?.cancel()
    if (returnsRedirects) return new Response(null, { status, headers: response.headers })
    throw new OutboundError(`${host} answered with a redirect, which is not followed.`)
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > maxResponseBytes) throw new OutboundError(`The response of ${host} is too large.`)
    chunks.push(chunk)
  }
  const headers = new Headers(response.headers)
  // The body is already decoded.
  headers.delete('content-encoding')
  headers.delete('content-length')
  const withoutBody = status === 204 || status === 205 || status === 304
  return new Response(withoutBody ? null : Buffer.concat(chunks), { status, headers })
}

function asOutboundError(error: unknown, host: string): OutboundError {
  if (error instanceof OutboundError) return error
  // The runtime's message contains the whole URL, so only the kind of the error is passed on.
  const kind = error instanceof Error && 'code' in error ? error.code : undefined
  const name = error instanceof Error ? error.name : 'failure'
  const cause = typeof kind === 'string' ? kind : name
  const isUnconnected = unconnected.has(cause)
  return unreachable(`The call to ${host} failed: ${cause}`, isUnconnected)
}

/** Codes of Bun and of the resolver for a host without an address or without a connection. */
const unconnected = new Set([
  'ConnectionRefused',
  'FailedToOpenSocket',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

const unreachable = (message: string, isUnconnected = false) =>
  new OutboundError(message, { canSucceedLater: true, isUnconnected })

function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => {
      if (signal.aborted) reject(signal.reason)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    }),
  ])
}
