/** The address of an archive. */
export const archiveAddress = (baseUrl: string, token: string): string =>
  `${baseUrl}/archive/${token}`

/** The address of a newsletter in the archive. */
export const newsletterAddress = (baseUrl: string, token: string, id: string): string =>
  `${archiveAddress(baseUrl, token)}/${id}`

/** The address of the feed of an archive. */
export const feedAddress = (baseUrl: string, token: string): string =>
  `${baseUrl}/archive-feed/${token}`

/**
 * The HTML of a sent newsletter without the link in its footer to its own page, under any link that
 * the archive had. It is the last link to this page.
 */
export function withoutOwnLink(html: string, id: string): string {
  const links = [
    ...html.matchAll(/<a href="https?:\/\/[^"]+\/archive\/[\w-]{32}\/(nl_[0-9a-f]{32})"/g),
  ]
  const start = links.findLast(([, linked]) => linked === id)?.index
  const end = html.indexOf('</a>', start)
  if (start === undefined || end === -1) return html
  return html.slice(0, start).replace(/ &nbsp;·&nbsp; $/, '') + html.slice(end + '</a>'.length)
}
