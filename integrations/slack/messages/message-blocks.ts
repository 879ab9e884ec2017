import type { types } from '@slack/bolt'
import type { Language } from '../../../src/contract/vocabulary.ts'
import { formButton, type MessageButton } from '../../kit/chat/buttons.ts'
import type { MessageContent, MessagePart } from '../../kit/chat/messages/message-part.ts'
import { escapeForSlack } from '../../kit/markdown/mrkdwn.ts'
import { truncateLineUtf16 } from '../../kit/text/fit-length.ts'
import { headerCharacters } from '../limits.ts'

/** Slack reports the use of a link with this id. */
export const linkAction = 'read_newsletter'

/** The text for notifications and the blocks of a message. */
interface SlackMessageContent {
  text: string
  blocks: types.KnownBlock[]
}

/** A message in Slack's format. The text of people is never formatted, so that it mentions nobody. */
export const slackMessage = ({ notification, parts }: MessageContent): SlackMessageContent => ({
  text: escapeForSlack(notification),
  blocks: blocksOf(parts),
})

/** The blocks of the parts of a message. */
export const blocksOf = (parts: readonly MessagePart[]): types.KnownBlock[] => parts.map(blockOf)

function blockOf(part: MessagePart): types.KnownBlock {
  switch (part.kind) {
    case 'heading':
      return { type: 'header', text: plain(truncateLineUtf16(headerCharacters, part.text)) }
    case 'paragraph':
      return paragraph(part.text)
    case 'list':
      return listBlock(part)
    case 'draft':
      return draftBlock(part)
    case 'note':
      return { type: 'context', elements: [{ type: 'mrkdwn', text: part.text }] }
    case 'buttons':
      return { type: 'actions', elements: part.buttons.map(slackButton) }
  }
}

type PartOf<Kind> = Extract<MessagePart, { kind: Kind }>

function draftBlock({ title, url, lines }: PartOf<'draft'>): types.RichTextBlock {
  const link = { type: 'link' as const, url, text: title, style: { bold: true } }
  return richText([link, ...lines.map((line) => ({ type: 'text' as const, text: `\n${line}` }))])
}

/** A list, with a heading above it. */
export function listBlock({ heading, items }: Omit<PartOf<'list'>, 'kind'>): types.RichTextBlock {
  const list: types.RichTextList = {
    type: 'rich_text_list',
    style: 'bullet',
    elements: items.map((text) => section([{ type: 'text', text }])),
  }
  const label = { type: 'text' as const, text: heading ?? '', style: { bold: true } }
  return { type: 'rich_text', elements: heading === null ? [list] : [section([label]), list] }
}

/** A button in Slack's format. */
export function slackButton(button: MessageButton): types.Button {
  const text = plain(button.label)
  if (button.kind === 'link')
    return { type: 'button', action_id: linkAction, url: button.url, style: 'primary', text }
  const { name: action_id, value, style, confirm } = button
  return {
    type: 'button',
    action_id,
    value,
    text,
    ...(style && { style }),
    ...(confirm && {
      confirm: {
        title: plain(confirm.title),
        text: plain(confirm.text),
        confirm: text,
        deny: plain(confirm.cancel),
        ...(style === 'danger' && { style }),
      },
    }),
  }
}

/** A text without formatting and without emoji codes. */
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

/** The button that opens the form. */
export const writeButton = (language: Language): types.ActionsBlock => ({
  type: 'actions',
  elements: [slackButton(formButton(language))],
})

/** Text in Slack's format. */
export const textBlock = (mrkdwn: string): types.SectionBlock => ({
  type: 'section',
  text: { type: 'mrkdwn', text: mrkdwn, verbatim: true },
})
