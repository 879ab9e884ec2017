import type { Language } from '../../contract/vocabulary.ts'
import { formatMessage, localeOf } from '../../locales/index.ts'

/** The words that the pages of an archive add to what people wrote. */
export function archiveTexts(language: Language) {
  const date = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' })
  return {
    title: formatMessage(language, 'archive_title', {}),
    older: formatMessage(language, 'archive_older', {}),
    newer: formatMessage(language, 'archive_newer', {}),
    search: formatMessage(language, 'archive_search', {}),
    searchLabel: formatMessage(language, 'archive_search_label', {}),
    empty: formatMessage(language, 'archive_empty', {}),
    nothing: (words: string) => formatMessage(language, 'archive_nothing', { words }),
    date: (at: Date) => date.format(at),
  }
}
