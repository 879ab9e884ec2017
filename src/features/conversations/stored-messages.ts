import type { WrittenMessage } from './next-step.ts'
import type { ConversationRow } from './sql.ts'

/** A conversation that nobody continues for so long is over. */
export const openMs = 24 * 3_600_000

/** The messages of a conversation that is continued, oldest first. */
export const messagesOf = (earlier: ConversationRow | undefined): WrittenMessage[] =>
  (earlier?.texts ?? []).map((text, index) => {
    const { people, ...image } = earlier?.details[index] ?? { people: earlier?.people ?? [] }
    return { text, people, image: image.file === undefined ? null : { ...image, file: image.file } }
  })

/** What is stored of messages. */
export const storedOf = (written: readonly WrittenMessage[]) => ({
  texts: written.map(({ text }) => text),
  details: written.map(({ people, image }) => ({ people, ...image })),
})
