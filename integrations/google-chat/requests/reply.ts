import type { MessageButton } from '../../kit/chat/buttons.ts'
import type { Reply } from '../../kit/requests/received.ts'
import { type Card, cardButton, messageCard } from '../messages/cards.ts'
import { type Event, isDirect } from './event.ts'

/** The response to an event that needs none. */
export const noReply: Reply = { body: {} }

/** The content of a message in which only buttons are in a card. */
export const messageBody = (text: string, buttons: readonly MessageButton[] = []) => ({
  text,
  cardsV2:
    buttons.length === 0 ? [] : messageCard([{ buttonList: { buttons: buttons.map(cardButton) } }]),
})

/**
 * A message for the person of an event alone; in a dialog, the sentence that is shown when it closes.
 * Sources: https://developers.google.com/workspace/chat/create-messages#private and
 * https://developers.google.com/workspace/chat/dialogs
 */
export function replyPrivately(
  event: Event,
  text: string,
  buttons: readonly MessageButton[] = [],
): Reply {
  if (event.isDialogEvent) return closeDialog(text)
  const { user, space } = event
  const isShared = user != null && !isDirect(space)
  const viewer = isShared ? { privateMessageViewer: { name: user.name } } : {}
  const body = buttons.length === 0 ? { text } : messageBody(text, buttons)
  return { body: { ...body, ...viewer } }
}

/** Opens a dialog, or shows another page of it. */
export const openDialog = (card: Card): Reply => ({
  body: { actionResponse: { type: 'DIALOG', dialogAction: { dialog: { body: card } } } },
})

/** Closes a dialog, with a sentence or without. */
export const closeDialog = (text?: string): Reply => dialogStatus('OK', text)

/** Keeps a dialog open and says what is missing. */
export const refuseDialog = (text: string): Reply => dialogStatus('INVALID_ARGUMENT', text)

const dialogStatus = (statusCode: string, userFacingMessage?: string): Reply => ({
  body: {
    actionResponse: {
      type: 'DIALOG',
      dialogAction: {
        actionStatus: {
          statusCode,
          ...(userFacingMessage !== undefined && { userFacingMessage }),
        },
      },
    },
  },
})
