// Chats make links of addresses, which a backslash would break.
const address = /(https?:\/\/[\w./?=&%+,;:#~-]+)/

/**
 * Escapes text for Markdown, so that it has no formatting, label of a link or mention. A mention is cut by a
 * zero-width space, because chats have no escape for it.
 */
export const escapeForChat = (text: string): string =>
  text
    .split(address)
    .map((part, index) => (index % 2 === 1 ? part : escapeWords(part)))
    .join('')

const escapeWords = (text: string) =>
  text.replace(/[\\`*_~[\]<>#|()]/g, '\\$&').replaceAll('@', '@\u200b')
