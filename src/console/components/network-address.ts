import ipaddr from 'ipaddr.js'

/** A network address in its short form: `::1` instead of `0000:…:0001`, IPv4-mapped IPv6 as IPv4. */
export function shortAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}
