import type { Language } from '../../../../src/contract/vocabulary.ts'
import { buttonNames, decisionValue, type MessageButton } from '../buttons.ts'
import type { ChatLocale } from '../format.ts'
import { chatText } from '../locales/index.ts'
import { type MessageContent, type MessagePart, shortTitle } from './message-part.ts'
import type { DraftToReview } from './messaging.ts'

/** New drafts, for the people who review them. */
export function reviewContent(
  drafts: readonly DraftToReview[],
  locale: ChatLocale,
): MessageContent {
  const count = drafts.filter(({ state }) => state.kind === 'waiting').length
  const text =
    count > 0
      ? chatText(locale.language, 'review_title', { count })
      : chatText(locale.language, 'home_review_none')
  return {
    notification: text,
    parts: [{ kind: 'heading', text }, ...draftParts(drafts, locale)],
  }
}

/** Drafts with their buttons, or with who has decided. */
export const draftParts = (drafts: readonly DraftToReview[], locale: ChatLocale): MessagePart[] =>
  drafts.flatMap((draft) => [draftText(draft, locale), draftState(draft, locale)])

function draftText({ content, url }: DraftToReview, { language }: ChatLocale): MessagePart {
  const title = shortTitle(content?.title ?? chatText(language, 'review_private_title'))
  const author = content?.author ?? null
  const lines = [
    author === null ? '' : chatText(language, 'review_by', { author: shortTitle(author) }),
    content === null ? chatText(language, 'review_private') : content.excerpt,
  ]
  return { kind: 'draft', title, url, lines: lines.filter((line) => line !== '') }
}

function draftState(draft: DraftToReview, { language, format }: ChatLocale): MessagePart {
  const { state } = draft
  if (state.kind === 'waiting') return { kind: 'buttons', buttons: reviewButtons(draft, language) }
  const key = `review_${state.kind}` as const
  const text =
    state.by === null
      ? chatText(language, `${key}_elsewhere`)
      : chatText(language, key, { person: format.mention(state.by) })
  return { kind: 'note', text }
}

const reviewButtons = (draft: DraftToReview, language: Language): MessageButton[] => [
  {
    kind: 'action',
    name: buttonNames.approve,
    value: decisionValue(draft),
    style: 'primary',
    label: chatText(language, 'review_approve'),
  },
  {
    kind: 'action',
    name: buttonNames.edit,
    value: draft.id,
    label: chatText(language, 'review_edit'),
  },
  {
    kind: 'action',
    name: buttonNames.decline,
    value: decisionValue(draft),
    style: 'danger',
    label: chatText(language, 'review_decline'),
    confirm: {
      title: chatText(language, 'review_decline_title'),
      text: chatText(language, 'review_decline_text'),
      cancel: chatText(language, 'review_cancel'),
    },
  },
]
