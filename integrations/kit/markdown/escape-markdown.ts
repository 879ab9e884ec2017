/** Text in which every character with a meaning in Markdown is escaped. */
export const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>|&~#]/g, '\\$&')
