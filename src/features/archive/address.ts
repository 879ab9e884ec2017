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
 * The HTML of a sent newsletter with the present address of its page: the link in the email may have
 * been replaced since.
 */
export const withPresentAddress = (html: string, address: string): string =>
  html.replaceAll(/https?:\/\/[^\s"<>]+\/archive\/[\w-]{32}\/(nl_[0-9a-f]{32})\b/g, (found, id) =>
    address.endsWith(`/${id}`) ? address : found,
  )
