import { type ActionButton, buttonNames, type MessageButton } from '../../../kit/chat/buttons.ts'
import { escapeForChat } from '../../../kit/chat/messages/escape-for-chat.ts'
import type { MessagePart } from '../../../kit/chat/messages/message-part.ts'

// https://learn.microsoft.com/adaptive-cards/schema-explorer/adaptive-card

interface SubmitAction {
  type: 'Action.Submit'
  title: string
  style?: 'positive' | 'destructive'
  data: Record<string, unknown>
}

export type CardAction = SubmitAction | { type: 'Action.OpenUrl'; title: string; url: string }

interface TextBlock {
  type: 'TextBlock'
  text: string
  wrap: true
  weight?: 'Bolder'
  size?: 'Large'
  isSubtle?: true
}

export type CardElement =
  | TextBlock
  | { type: 'ActionSet'; actions: CardAction[] }
  | {
      type: 'Input.Text'
      id: string
      label: string
      value?: string
      isMultiline?: true
      isRequired?: true
      errorMessage?: string
      maxLength?: number
    }
  | {
      type: 'Input.ChoiceSet'
      id: string
      label: string
      value: string
      choices: { title: string; value: string }[]
    }

export interface AdaptiveCard {
  type: 'AdaptiveCard'
  version: '1.4'
  $schema: 'http://adaptivecards.io/schemas/adaptive-card.json'
  body: CardElement[]
  actions?: CardAction[]
}

/** A card with these elements, and with actions below them. */
export const adaptiveCard = (body: CardElement[], actions: CardAction[] = []): AdaptiveCard => ({
  type: 'AdaptiveCard',
  version: '1.4',
  $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
  body,
  ...(actions.length > 0 && { actions }),
})

/** A card as an attachment of a message or of a dialog. */
export const cardAttachment = (content: AdaptiveCard) => ({
  contentType: 'application/vnd.microsoft.card.adaptive',
  content,
})

/** The buttons that open a dialog, as Teams calls a task module. */
const opensDialog = ({ name, confirm }: ActionButton): boolean =>
  confirm !== undefined || name === buttonNames.edit || name === buttonNames.openForm

/** A button in the format of Teams. */
export function cardAction(button: MessageButton): CardAction {
  if (button.kind === 'link')
    return { type: 'Action.OpenUrl', title: button.label, url: button.url }
  const data = { button: button.name, value: button.value }
  return submitAction(button.label, opensDialog(button) ? { ...data, ...dialogData } : data, {
    ...(button.style === 'primary' && { style: 'positive' }),
    ...(button.style === 'danger' && { style: 'destructive' }),
  })
}

const dialogData = { msteams: { type: 'task/fetch' } }

/** A button that sends `data` to the bot. */
export const submitAction = (
  title: string,
  data: Record<string, unknown>,
  more: Pick<SubmitAction, 'style'> = {},
): SubmitAction => ({ type: 'Action.Submit', title, ...more, data })

/** The elements of the parts of a message. The text of people has no formatting, and mentions nobody. */
export const elementsOf = (parts: readonly MessagePart[]): CardElement[] => parts.flatMap(elements)

function elements(part: MessagePart): CardElement[] {
  switch (part.kind) {
    case 'heading':
      return [{ ...textBlock(escapeForChat(part.text)), weight: 'Bolder', size: 'Large' }]
    case 'paragraph':
      return [textBlock(escapeForChat(part.text))]
    case 'note':
      return [{ ...textBlock(part.text), isSubtle: true }]
    case 'list': {
      const items = textBlock(part.items.map((item) => `- ${escapeForChat(item)}`).join('\r'))
      if (part.heading === null) return [items]
      return [{ ...textBlock(escapeForChat(part.heading)), weight: 'Bolder' }, items]
    }
    case 'draft': {
      const link = `**[${escapeForChat(part.title)}](${part.url})**`
      return [textBlock(link), ...part.lines.map((line) => textBlock(escapeForChat(line)))]
    }
    case 'buttons':
      return [{ type: 'ActionSet', actions: part.buttons.map(cardAction) }]
  }
}

/**
 * A text with Markdown. Cards show a line break only where there are two, and no code, which is bold instead.
 * Source: https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-format
 */
export const textBlock = (text: string): TextBlock => ({
  type: 'TextBlock',
  text: text.replace(/\n+/g, '\n\n').replace(/(?<!\\)`([^`\n]+)`/g, '**$1**'),
  wrap: true,
})
