import ipaddr from 'ipaddr.js'

/** An IPv4 address as it is, an IPv6 address by its /64: one customer of a provider has a whole one. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}
