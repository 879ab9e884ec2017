import type { Language } from '../../contract/vocabulary.ts'
import { localeOf, message } from '../../locales/index.ts'

/** The words that the pages of an archive add to what people wrote. */
export function archiveTexts(language: Language) {
  const date = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' })
  return {
    title: message(language, 'archive_title', {}),
    older: message(language, 'archive_older', {}),
    newer: message(language, 'archive_newer', {}),
    search: message(language, 'archive_search', {}),
    searchLabel: message(language, 'archive_search_label', {}),
    empty: message(language, 'archive_empty', {}),
    nothing: (words: string) => message(language, 'archive_nothing', { words }),
    date: (at: Date) => date.format(at),
  }
}
