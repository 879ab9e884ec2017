import { languageOf, message } from '../../../locales/index.ts'

/** The text that a newsletter adds to what people wrote. */
export type NewsletterTexts = ReturnType<typeof textsIn>

/** The text in a language (BCP 47); English for a language without a message catalog. */
export function textsIn(code: string) {
  const language = languageOf(code)
  return {
    contents: message(language, 'contents', {}),
    readMore: message(language, 'read_more', {}),
    vote: message(language, 'vote', {}),
    moreNews: message(language, 'more_news', {}),
    share: message(language, 'share_news', {}),
    view: message(language, 'view_in_browser', {}),
    by: (author: string) => message(language, 'by_author', { author }),
    minutes: (minutes: number) => message(language, 'reading_time', { minutes }),
  }
}
