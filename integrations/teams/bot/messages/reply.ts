import type { Reply } from '../../../kit/requests/received.ts'
import { type AdaptiveCard, cardAttachment } from './cards.ts'

/** The response to an activity that needs none. */
export const noReply: Reply = {}

/**
 * Opens a dialog with a card.
 * Source: https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/task-modules/task-modules-bots
 */
export const openDialog = (title: string, card: AdaptiveCard): Reply => ({
  body: {
    task: {
      type: 'continue',
      value: { title, height: 'large', width: 'medium', card: cardAttachment(card) },
    },
  },
})

/** Shows a sentence in a dialog. */
export const dialogMessage = (value: string): Reply => ({
  body: { task: { type: 'message', value } },
})

/** Closes a dialog. */
export const closeDialog: Reply = { body: {} }
