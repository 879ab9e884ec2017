import type { View } from '../../../lib/html/mjml.ts'

/** The marks of what belongs to the newsletter itself. */
export const newsletterMarks = { title: 'title', intro: 'intro', closing: 'closing' } as const

/** The mark of a section of the template, by its position among the sections that have blocks. */
export const sectionMark = (at: number): string => `section-${at}`

/**
 * HTML that starts with the mark of what it shows: a comment, which changes nothing that people see.
 * The composer finds the element of a newsletter by it. Emails have no marks.
 */
export const withMark = (html: string, mark: string | null | undefined): string =>
  mark ? `<!--mark ${mark}-->${html}` : html

/** Text with a mark, for a layout. */
export const markedText = (text: string, mark: string | null | undefined): View[string] =>
  mark ? { html: withMark(Bun.escapeHTML(text), mark) } : text
