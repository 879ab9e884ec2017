import type { Adapter } from '../../../integrations/kit/adapter.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import type { TestApp } from '../app.ts'

/** The people of a chat. */
export type PersonName = 'mira' | 'tomas' | 'ada' | 'ben' | 'eve'

/** A form or a question that the bot has opened for a person. */
interface OpenForm {
  /** Its texts and the values of its fields. */
  text: string
  submit(values?: Record<string, string>): Promise<void>
}

/** A button as a person sees it: with what it had when it was looked for. */
interface Button {
  /** A person uses a button that acts at once. */
  press(who: PersonName): Promise<void>
  /** A person uses a button that opens a form or a question. */
  open(who: PersonName): Promise<OpenForm>
  /** A person for whom it opens nothing uses the button. Returns what they read instead. */
  refusalFor(who: PersonName): Promise<string>
}

/** A message of the bot. */
export interface BotMessage {
  /** What people see now. */
  text(): string
  /** Throws when the message has no button with this name. */
  button(name: string): Button
}

/** How the chat responds to requests to create a message. `lost`: it creates the message, and its response does not arrive. */
export type PostingFailure = 'limited' | 'limited_everywhere' | 'down' | 'lost'

/** A chat that is connected to a team, with its people. */
export interface Chat {
  name: string
  /** Plans the messages of this chat. */
  forwarder: TestApp['forwarder']
  team: Team
  connectionId: string
  /** The channel for reviews and questions. */
  channel: string
  newsletterChannel: string
  /** The same chat, connected to another team. */
  connectOtherTeam(): Promise<Chat>
  /** Makes a person an editor of the team in a way that the chat can verify. */
  addEditor(who: PersonName): Promise<void>
  /** Mira writes news where everybody may read them. */
  sendNews(text: string): Promise<void>
  /** Mira thanks people. */
  thank(...people: PersonName[]): Promise<void>
  leave(who: PersonName): void
  /** The id of the account of a person. */
  idOf(who: PersonName): string
  /** How the bot names a person in a message with buttons, or the beginning of that. */
  nameOf(who: PersonName): string
  /** The same in a text to somebody else. */
  mentionOf(who: PersonName): string
  /** Bold text, as the bot gets it from people: without formatting from Teams. */
  bold(text: string): string
  /** What the bot writes for a text, so that the chat shows it without formatting. */
  escape(text: string): string
  /** The messages in a channel that everybody sees. */
  messagesIn(channel: string): BotMessage[]
  /** The messages that were sent to a person. */
  messagesTo(who: PersonName): BotMessage[]
  /** All texts that only this person sees. */
  textTo(who: PersonName): string
  failPosting(failure: PostingFailure): void
  /** Ends what `failPosting` began; the chat does not recognize earlier requests any more. */
  recoverLater(): void
}

/** A chat that recognizes the repetition of a request to create a message, and lists the messages of a channel. */
export interface DeduplicatingChat extends Chat {
  failures: readonly PostingFailure[]
  /** Ends what `failPosting` began at once. */
  recover(): void
  /** How many requests to create a message there were. */
  postingRequests(): number
  /** The bot cannot read the messages of channels any more. */
  hideMessages(): void
}

/** A chat in which people write to the bot in their own words. */
export interface ConversingChat extends Chat {
  /** Mira writes to the bot alone. */
  write(text: string, image?: Uint8Array): Promise<void>
  /** News with a command, as people write them to the bot alone. */
  command(text: string): string
}

/** Connects a stand-in for a chat to teams, and acts as the people of the chat. */
export interface ChatDriver<Connected extends Chat = Chat> {
  adapter: Adapter
  faults: readonly unknown[]
  connect(app: TestApp): Promise<Connected>
  reset(): void
  stop(): unknown
}
