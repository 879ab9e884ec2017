import ipaddr from 'ipaddr.js'

/** A network address as people write it: `::1` instead of `0000:…:0001`, and IPv4 inside IPv6 as IPv4. */
export function shortAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}
