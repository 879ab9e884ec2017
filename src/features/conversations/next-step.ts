import * as v from 'valibot'
import type { Intent, MessageReading } from './read-message.ts'
import {
  type ConversationRow,
  type MessageImage,
  type MissingPart,
  type NewsKind,
  newsKinds,
} from './sql.ts'

/** One message of a conversation. */
export interface WrittenMessage {
  /** Markdown. */
  text: string
  /** The ids of the people whom it mentions. */
  people: readonly string[]
  image: MessageImage | null
  /** Its delivery; a process of an earlier version has stored none. */
  deliveryId?: string
  /** No model has read it, so that a form offers it until it is in a draft. */
  isUnread?: boolean
}

/** The person has said everything: `text` consists of their own words. */
export interface CompleteNews {
  outcome: 'complete'
  kind: NewsKind
  text: string
  /** The newest image of the messages. */
  image: MessageImage | null
  /** The ids of the people whom the quoted messages mention. */
  people: readonly string[]
  /** The messages that it contains, so that no form has to offer them. */
  saved: readonly WrittenMessage[]
}

/** What the bot replies; its sentences are those of the chat. */
export const ReplyName = v.picklist([
  'win_what',
  'news_what',
  'kudos_what',
  'kudos_who',
  'welcome_who',
  'cancelled',
  'form',
  'unread',
  'mine',
  'next',
  'status',
])
export type ReplyName = v.InferOutput<typeof ReplyName>

const maxQuestions = 3
/** Longer messages need no questions, and a model should not be asked to read them. */
const maxCharacters = 6_000

/** The newest image of messages. */
export const imageOf = (written: readonly WrittenMessage[]): MessageImage | null =>
  written.findLast(({ image }) => image !== null)?.image ?? null

/** Whether news of a kind is what a conversation was about: an image without words can belong to any. */
export function isSameNews(
  kind: string | null,
  earlier: readonly WrittenMessage[],
  newKind: string,
): boolean {
  const read = earlier.filter(({ isUnread }) => !isUnread)
  return kind === newKind || (read.length > 0 && read.every(({ text }) => !text))
}

/** What follows from a message. */
export type Step =
  | { outcome: 'asking'; kind: NewsKind; missing: MissingPart; reply: ReplyName }
  /** `isUnread`: the form contains what the person wrote, because no model has read it. */
  | { outcome: 'replied'; reply: ReplyName; goesOn: boolean; isUnread?: true }
  | CompleteNews

const others: Record<Exclude<Intent, NewsKind>, ReplyName> = {
  cancel: 'cancelled',
  help: 'form',
  mine: 'mine',
  next: 'next',
  status: 'status',
}

/** What the bot asks, by what is missing. A win or news without a name is complete. */
const questionsFor: Record<NewsKind, { what?: ReplyName; who?: ReplyName }> = {
  win: { what: 'win_what' },
  news: { what: 'news_what' },
  kudos: { what: 'kudos_what', who: 'kudos_who' },
  welcome: { who: 'welcome_who' },
}

/** Whether a model reads the texts of a conversation. */
export const isShort = (texts: readonly string[]) => texts.join('\n').length <= maxCharacters

/** The messages that a model reads: unread ones again, unless they are too long. */
export const messagesToRead = (written: readonly WrittenMessage[]): readonly WrittenMessage[] =>
  isShort(written.map(({ text }) => text)) ? written : written.filter(({ isUnread }) => !isUnread)

/** What follows from the messages of a conversation, with the meaning of the newest; null when no model has read it. */
export function nextStep(
  reading: MessageReading | null,
  earlier: ConversationRow | undefined,
  written: readonly WrittenMessage[],
): Step {
  if (reading === null) {
    const goesOn = isShort(written.map(({ text }) => text))
    return { outcome: 'replied', reply: 'unread', goesOn, isUnread: true }
  }
  const { intent, missing, quote } = reading
  if (!isNewsKind(intent))
    return { outcome: 'replied', reply: others[intent], goesOn: intent !== 'cancel' }
  const reply = missing === null ? undefined : questionsFor[intent][missing]
  if (missing === null || reply === undefined) {
    const quoted = written.filter((_, index) => quote.sources.has(index))
    // Somebody who changes the subject does not mean the image of what came before.
    const isSame = isSameNews(earlier?.kind ?? null, written.slice(0, -1), intent)
    const used = written.filter(
      (one) => quoted.includes(one) || one === written.at(-1) || (isSame && !one.isUnread),
    )
    return {
      outcome: 'complete',
      kind: intent,
      text: quote.text,
      image: imageOf(used),
      people: quoted.flatMap(({ people }) => people),
      saved: written.filter(
        ({ text }, index) =>
          quote.newest.has(index) || (text !== '' && quote.text.includes(text.trim())),
      ),
    }
  }
  return ask({ kind: intent, missing, reply }, earlier)
}

/** An image without words: the person is asked what the news is, or again what they were asked last. */
export function stepAfterImage(earlier: ConversationRow | undefined): Step {
  const { kind, missing } = earlier ?? {}
  const reply = kind && missing ? questionsFor[kind][missing] : undefined
  return kind && missing && reply
    ? ask({ kind, missing, reply }, earlier)
    : ask({ kind: 'news', missing: 'what', reply: 'news_what' }, earlier)
}

type Question = Omit<Extract<Step, { outcome: 'asking' }>, 'outcome'>

function ask(question: Question, earlier: ConversationRow | undefined): Step {
  const isPatient = (earlier?.questions ?? 0) < maxQuestions
  return isPatient
    ? { outcome: 'asking', ...question }
    : { outcome: 'replied', reply: 'form', goesOn: false, isUnread: true }
}

const isNewsKind = (intent: Intent): intent is NewsKind =>
  (newsKinds as readonly string[]).includes(intent)
