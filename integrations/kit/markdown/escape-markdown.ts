/** Text with a backslash before each character that has a meaning anywhere in a line of Markdown. */
export const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>|&~#]/g, '\\$&')
