import type { types } from '@slack/bolt'
import type { Language } from '../../../src/contract/vocabulary.ts'
import { message as sentence } from '../../../src/locales/index.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import type { DraftToReview, OutgoingMessage } from '../../kit/chat/messaging.ts'
import { escapeForSlack } from '../../kit/markdown/mrkdwn.ts'
import { oneLine, truncateUtf16 } from '../../kit/text.ts'

/** The ids of the buttons of messages. */
export const button = {
  approve: 'approve_draft',
  decline: 'decline_draft',
  edit: 'edit_in_form',
  /** Of messages that were sent before drafts were edited in a form: their button was a link, too. */
  editLink: 'edit_draft',
  messagesOff: 'messages_off',
  messagesOn: 'messages_on',
  openForm: 'open_form',
  promptsOff: 'prompts_off',
  promptsOn: 'prompts_on',
  remindersOff: 'reminders_off',
  remindersOn: 'reminders_on',
}

const titleCharacters = 150
const maxTitles = 10

/** The text for notifications and the blocks of a message. */
export interface SlackMessageContent {
  text: string
  blocks: types.KnownBlock[]
}

export function reviewMessage(
  drafts: readonly DraftToReview[],
  language: Language,
): SlackMessageContent {
  const text = chatText(language, 'review_title', { count: drafts.length })
  return {
    text,
    blocks: [{ type: 'header', text: plain(text) }, ...draftBlocks(drafts, language)],
  }
}

/** Drafts with their buttons, or with who has decided. */
export const draftBlocks = (
  drafts: readonly DraftToReview[],
  language: Language,
): types.KnownBlock[] =>
  drafts.flatMap((draft) => [draftText(draft, language), draftState(draft, language)])

function draftText({ content, url }: DraftToReview, language: Language): types.RichTextBlock {
  const title = content?.title ?? chatText(language, 'review_private_title')
  const link = { type: 'link' as const, url, text: shortTitle(title), style: { bold: true } }
  const author = content?.author ?? null
  const lines = [
    author === null ? '' : chatText(language, 'review_by', { author: shortTitle(author) }),
    content === null ? chatText(language, 'review_private') : content.excerpt,
  ].filter((line) => line !== '')
  return richText([link, ...lines.map((line) => ({ type: 'text' as const, text: `\n${line}` }))])
}

function draftState({ id, state }: DraftToReview, language: Language): types.KnownBlock {
  if (state.kind === 'waiting') return reviewButtons(id, language)
  const key = `review_${state.kind}` as const
  const text =
    state.by === null
      ? chatText(language, `${key}_elsewhere`)
      : chatText(language, key, { person: mention(state.by) })
  return { type: 'context', elements: [{ type: 'mrkdwn', text }] }
}

function reviewButtons(id: string, language: Language): types.ActionsBlock {
  const label = (key: Parameters<typeof chatText>[1]) => plain(chatText(language, key))
  return {
    type: 'actions',
    elements: [
      {
        type: 'button',
        action_id: button.approve,
        value: id,
        style: 'primary',
        text: label('review_approve'),
      },
      { type: 'button', action_id: button.edit, value: id, text: label('review_edit') },
      {
        type: 'button',
        action_id: button.decline,
        value: id,
        style: 'danger',
        text: label('review_decline'),
        confirm: {
          title: label('review_decline_title'),
          text: label('review_decline_text'),
          confirm: label('review_decline'),
          deny: label('review_cancel'),
          style: 'danger',
        },
      },
    ],
  }
}

export function publishedMessage(
  { newsletter, contributed, thanked }: Extract<OutgoingMessage, { kind: 'published' }>,
  language: Language,
): SlackMessageContent {
  const values = { newsletter: shortTitle(newsletter.title) }
  const isBoth = contributed.length > 0 && thanked.length > 0
  const count = contributed.length || thanked.length
  const only = contributed.length > 0 ? 'published' : 'published_thanked'
  const text = chatText(language, isBoth ? 'published_both' : only, { ...values, count })
  const blocks: types.KnownBlock[] = [
    paragraph(text),
    ...titleList(contributed, isBoth ? chatText(language, 'published_yours') : null, language),
    ...titleList(thanked, isBoth ? chatText(language, 'published_thanks') : null, language),
    {
      type: 'actions',
      elements: [
        ...(newsletter.url === null ? [] : [linkButton(newsletter.url, language)]),
        offButton(language),
      ],
    },
  ]
  return { text: escapeForSlack(text), blocks }
}

export function declinedMessage(title: string, language: Language): SlackMessageContent {
  const text = chatText(language, 'declined', { title: shortTitle(title) })
  const off: types.ActionsBlock = { type: 'actions', elements: [offButton(language)] }
  return { text: escapeForSlack(text), blocks: [paragraph(text), off] }
}

function titleList(
  titles: readonly string[],
  heading: string | null,
  language: Language,
): types.RichTextBlock[] {
  if (titles.length === 0) return []
  const more = titles.length - maxTitles
  const items = [
    ...titles.slice(0, maxTitles).map(shortTitle),
    ...(more > 0 ? [sentence(language, 'release_more', { count: more })] : []),
  ]
  const list: types.RichTextList = {
    type: 'rich_text_list',
    style: 'bullet',
    elements: items.map((text) => section([{ type: 'text', text }])),
  }
  const label = { type: 'text' as const, text: heading ?? '', style: { bold: true } }
  return [{ type: 'rich_text', elements: heading === null ? [list] : [section([label]), list] }]
}

/** The button with which a person turns messages about their news on again. */
export const messagesOnButton = (language: Language): types.Button => ({
  type: 'button',
  action_id: button.messagesOn,
  value: 'on',
  text: plain(chatText(language, 'messages_on')),
})

const offButton = (language: Language): types.Button => ({
  type: 'button',
  action_id: button.messagesOff,
  value: 'off',
  text: plain(chatText(language, 'messages_off')),
})

const linkButton = (url: string, language: Language): types.Button => ({
  type: 'button',
  action_id: 'read_newsletter',
  url,
  style: 'primary',
  text: plain(chatText(language, 'published_read')),
})

/** The link with which a person says which member they are, for that person alone. */
export const accountLinkText = (url: string, language: Language): string =>
  chatText(language, 'account_link', { url })

/** A person in Slack's own text format. */
export const mention = (user: string): string =>
  /^[UW][A-Z0-9]+$/.test(user) ? `<@${user}>` : escapeForSlack(user)

export const shortTitle = (title: string): string => truncateUtf16(titleCharacters, oneLine(title))

export const plain = (text: string): types.PlainTextElement => ({
  type: 'plain_text',
  text,
  emoji: false,
})

const section = (elements: types.RichTextSection['elements']): types.RichTextSection => ({
  type: 'rich_text_section',
  elements,
})

const richText = (elements: types.RichTextSection['elements']): types.RichTextBlock => ({
  type: 'rich_text',
  elements: [section(elements)],
})

/** Text that is not formatted, so that it mentions nobody. */
export const paragraph = (text: string) => richText([{ type: 'text', text }])
