import type { NetworkInterfaceInfo } from 'node:os'

/** True when only programs on this computer can open an address: `http://localhost:3000`. */
export function isOnThisComputer(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? ''
  return ['localhost', '[::1]', '0.0.0.0'].includes(host) || /^127\.|\.localhost$/.test(host)
}

/** The host of a URL without the brackets around an IPv6 address (RFC 3986, section 3.2.2). */
export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

interface ListeningService {
  /** How people reach the service, without a slash at the end. */
  baseUrl: string
  /** The address that it listens on; null: all addresses. */
  host: string | null
}

/** The network interfaces of this computer, by name. */
export type NetworkInterfaces = Readonly<Record<string, NetworkInterfaceInfo[] | undefined>>

// The private addresses (RFC 1918) without 172.16.0.0/12, in which Docker places containers that no phone reaches.
const networkAtHomeOrWork = /^(?:10|192\.168)\./

/**
 * The address with which a phone opens the service: its own, or that of this computer in a private network,
 * which a phone in the same network can open. Null when there is none.
 */
export function phoneUrlOf(
  { baseUrl, host }: ListeningService,
  interfaces: NetworkInterfaces,
): string | null {
  if (!isOnThisComputer(baseUrl)) return baseUrl
  const found = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal, address }) => {
      const isListening = host === null || [address, '0.0.0.0', '::'].includes(host)
      return family === 'IPv4' && !internal && isListening && networkAtHomeOrWork.test(address)
    })
  return found ? baseUrl.replace(new URL(baseUrl).hostname, found.address) : null
}
