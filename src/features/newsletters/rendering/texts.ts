import { formatMessage, languageOf } from '../../../locales/index.ts'

/** The text that a newsletter adds to what people wrote. */
export type NewsletterTexts = ReturnType<typeof textsIn>

/** The text in a language (BCP 47); English for a language without a message catalog. */
export function textsIn(code: string) {
  const language = languageOf(code)
  return {
    contents: formatMessage(language, 'contents', {}),
    readMore: formatMessage(language, 'read_more', {}),
    vote: formatMessage(language, 'vote', {}),
    moreNews: formatMessage(language, 'more_news', {}),
    share: formatMessage(language, 'share_news', {}),
    view: formatMessage(language, 'view_in_browser', {}),
    by: (author: string) => formatMessage(language, 'by_author', { author }),
    minutes: (minutes: number) => formatMessage(language, 'reading_time', { minutes }),
  }
}
