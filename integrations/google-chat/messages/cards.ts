import type { ActionButton, MessageButton } from '../../kit/chat/buttons.ts'
import { buttonNames } from '../../kit/chat/buttons.ts'
import type { MessagePart } from '../../kit/chat/messages/message-part.ts'
import { escapeForCard, linkForCard } from './text.ts'

// https://developers.google.com/workspace/chat/api/reference/rest/v1/cards

export interface CardButton {
  text: string
  type?: 'FILLED'
  onClick:
    | { openLink: { url: string } }
    | {
        action: {
          function: string
          interaction?: 'OPEN_DIALOG'
          parameters: { key: string; value: string }[]
          requiredWidgets?: string[]
        }
      }
}

export type Widget =
  | { textParagraph: { text: string } }
  | { image: { imageUrl: string; altText: string } }
  | { buttonList: { buttons: CardButton[] } }
  | {
      textInput: {
        name: string
        label: string
        type: 'SINGLE_LINE' | 'MULTIPLE_LINE'
        value?: string
        hintText?: string
      }
    }
  | {
      selectionInput: {
        name: string
        label: string
        type: 'DROPDOWN'
        items: { text: string; value: string; selected: boolean }[]
      }
    }

export interface Card {
  header?: { title: string }
  sections: { widgets: Widget[] }[]
}

/** The buttons of messages that open a dialog. */
const opensDialog = ({ name, confirm }: ActionButton): boolean =>
  confirm !== undefined || name === buttonNames.edit || name === buttonNames.openForm

/** A button in Google's format. */
export function cardButton(button: MessageButton): CardButton {
  const text = button.label
  if (button.kind === 'link') return { text, onClick: { openLink: { url: button.url } } }
  return functionButton(text, button.name, {
    parameters: { value: button.value },
    isPrimary: button.style === 'primary',
    opensDialog: opensDialog(button),
  })
}

interface FunctionButton {
  parameters: Record<string, string>
  isPrimary?: boolean
  opensDialog?: boolean
  requiredWidgets?: string[]
}

/** A button that sends an event with the name of a function and parameters. */
export const functionButton = (
  text: string,
  name: string,
  { parameters, isPrimary = false, opensDialog = false, requiredWidgets }: FunctionButton,
): CardButton => ({
  text,
  ...(isPrimary && { type: 'FILLED' }),
  onClick: {
    action: {
      function: name,
      ...(opensDialog && { interaction: 'OPEN_DIALOG' }),
      parameters: Object.entries(parameters).map(([key, value]) => ({ key, value })),
      ...(requiredWidgets && { requiredWidgets }),
    },
  },
})

/** The widgets of the parts of a message. The text of people has no formatting. */
export const widgetsOf = (parts: readonly MessagePart[]): Widget[] => parts.map(widgetOf)

function widgetOf(part: MessagePart): Widget {
  switch (part.kind) {
    case 'heading':
      return paragraph(`<b>${escapeForCard(part.text)}</b>`)
    case 'paragraph':
      return paragraph(escapeForCard(part.text))
    case 'note':
      return paragraph(`<i>${escapeForCard(part.text)}</i>`)
    case 'list':
      return listWidget(part)
    case 'draft': {
      const { title, url, lines } = part
      const link = linkForCard(url, `<b>${escapeForCard(title)}</b>`)
      return paragraph([link, ...lines.map(escapeForCard)].join('<br>'))
    }
    case 'buttons':
      return { buttonList: { buttons: part.buttons.map(cardButton) } }
  }
}

/** A list of titles, under a heading or none. */
export function listWidget({ heading, items }: { heading: string | null; items: string[] }) {
  const title = heading === null ? [] : [`<b>${escapeForCard(heading)}</b>`]
  return paragraph([...title, ...items.map((item) => `• ${escapeForCard(item)}`)].join('<br>'))
}

/** A text in the HTML of cards. */
export const paragraph = (text: string): Widget => ({ textParagraph: { text } })

/** The card of a message. */
export const messageCard = (widgets: Widget[], header?: string) => [
  {
    cardId: 'tidings',
    card: { ...(header !== undefined && { header: { title: header } }), sections: [{ widgets }] },
  },
]
