/** True when only programs on this computer can open an address: `http://localhost:3000`. */
export function isOnThisComputer(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? ''
  return ['localhost', '[::1]', '0.0.0.0'].includes(host) || /^127\.|\.localhost$/.test(host)
}
