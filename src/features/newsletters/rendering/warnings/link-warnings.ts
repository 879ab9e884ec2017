import type { Reference } from '../../../../lib/html/sanitize-html.ts'

/** What is wrong with a link. */
interface LinkFinding {
  code: 'broken_link' | 'misleading_link'
  message: string
}

/** The warnings about the links in one part of a newsletter, `in “Tea”`. */
export function linkWarnings(part: string, references: readonly Reference[]): LinkFinding[] {
  return references.flatMap(({ kind, address, text }): LinkFinding[] => {
    if (kind !== 'link') return []
    const link = `The link ${quoted(text ?? '')} ${part}`
    const fault = problemOf(address)
    if (fault) return [{ code: 'broken_link', message: `${link} ${fault}.` }]
    const hidden = hiddenTargetOf(URL.parse(address ?? ''))
    if (hidden) return [{ code: 'misleading_link', message: `${link} ${hidden}.` }]
    const host = URL.parse(address ?? '')?.hostname
    return text !== null && namesAnotherHost(text, host)
      ? [{ code: 'misleading_link', message: `${link} leads to ${host}, not to where it says.` }]
      : []
  })
}

/**
 * What the address of a link hides, as the end of a sentence, or null:
 * `https://bank.test@evil.test` leads to evil.test, and a mailto link can add recipients.
 */
function hiddenTargetOf(url: URL | null): string | null {
  if (url?.protocol === 'mailto:') {
    const addsRecipients = [...url.searchParams.keys()].some((name) => /^(?:to|b?cc)$/i.test(name))
    return addsRecipients ? 'adds more recipients to the email (to, cc or bcc)' : null
  }
  if (!url?.username && !url?.password) return null
  return `has a user name before the website; it leads to ${url.hostname}`
}

/**
 * What is wrong with the format of a link's address, as the end of a sentence; null when nothing
 * is.
 */
function problemOf(address: string | null): string | null {
  if (!address || address === '#') return 'leads nowhere: it has no address'
  if (/\s/.test(address)) return 'has a space in its address'
  if (/^(?:mailto|tel):/i.test(address)) return contactFaultOf(address)
  if (!/^https?:/i.test(address)) return 'has no https:// in front of its address'
  if (!/^https?:\/\/(?!\/)/i.test(address)) return 'needs two slashes after https:'
  const host = URL.parse(address)?.hostname ?? ''
  return /^(?:|https?)$/.test(host) ? 'has no website in its address' : null
}

/** What is wrong with a `mailto:` or `tel:` address, as the end of a sentence; null when nothing is. */
function contactFaultOf(address: string): string | null {
  if (/^tel:/i.test(address)) return /\d/.test(address) ? null : 'has no phone number after tel:'
  return address.includes('@') ? null : 'has no email address after mailto:'
}

/** True when the text of a link is an address of another website than the link leads to. */
function namesAnotherHost(text: string, host: string | undefined): boolean {
  const words = text.trim()
  if (!/^(?:https?:\/\/|www\.)\S+$/i.test(words)) return false
  const named = URL.parse(/^http/i.test(words) ? words : `https://${words}`)?.hostname
  const bare = (name: string | undefined) => name?.replace(/^www\./, '')
  return named !== undefined && bare(named) !== bare(host)
}

/** Text that was meant as a link but has no format that becomes one. */
export function textLinks(text: string): Reference[] {
  const attempts = text.match(/(?<![\w/.:])(?:https?:(?!\/\/[^\s/])|www\.)\S+/gi) ?? []
  return attempts.map((attempt) => ({ kind: 'link', address: attempt, text: attempt }))
}

/** Text in a sentence, shortened. */
export function quoted(text: string): string {
  const words = text.replaceAll(/\s+/g, ' ').trim()
  const characters = [...words]
  return `“${characters.length > 80 ? `${characters.slice(0, 79).join('')}…` : words}”`
}
