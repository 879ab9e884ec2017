import type { Language } from '../../../../src/contract/vocabulary.ts'
import { formatMessage } from '../../../../src/locales/index.ts'
import { markdownFormat } from '../../../kit/chat/forms/edit-text.ts'
import { parseMrkdwn } from '../../../kit/markdown/mrkdwn.ts'
import { mrkdwnToMarkdown } from '../../../kit/markdown/mrkdwn-markdown.ts'
import { removeUserIds, resolveNames } from '../../events/stored-event.ts'

/** The format in which people write in Slack's forms. */
export const mrkdwnFormat = (language: Language) => ({
  bold: '*',
  italic: '_',
  struck: '~',
  bullet: '•',
  toHtml(text: string): string {
    const parts = removeUserIds(parseMrkdwn(text, language), [])
    const resolved = resolveNames(parts, () => undefined, formatMessage(language, 'someone', {}))
    return markdownFormat.toHtml(mrkdwnToMarkdown(resolved))
  },
})
