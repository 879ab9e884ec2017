import { dayMs } from '../../lib/clock.ts'
import type { WrittenMessage } from './next-step.ts'
import type { ConversationRow, TextDetails } from './sql.ts'

/** A conversation that nobody continues for so long is over. */
export const openMs = dayMs

/** The messages of a conversation that is continued, oldest first. */
export const messagesOf = (earlier: ConversationRow | undefined): WrittenMessage[] =>
  (earlier?.texts ?? []).map((text, index) => {
    const details: TextDetails = earlier?.details[index] ?? { people: earlier?.people ?? [] }
    const { people, delivery, unread, ...image } = details
    return {
      text,
      people,
      image: image.file === undefined ? null : { ...image, file: image.file },
      ...(delivery !== undefined && { deliveryId: delivery }),
      isUnread: unread === true || earlier?.missing === null,
    }
  })

/** What a message belongs to: a conversation in which the person was asked for something, or unread texts. */
export function continuedOf(stored: ConversationRow | undefined): ConversationRow | undefined {
  if (!stored || stored.missing !== null) return stored
  // The kind is that of news which is complete.
  return stored.texts.length > 0 ? { ...stored, kind: null } : undefined
}

/** What is stored of messages. */
export const storedOf = (written: readonly WrittenMessage[]) => ({
  texts: written.map(({ text }) => text),
  details: written.map(
    ({ people, image, deliveryId, isUnread }): TextDetails => ({
      people,
      ...image,
      ...(deliveryId !== undefined && { delivery: deliveryId }),
      ...(isUnread && { unread: true }),
    }),
  ),
})
