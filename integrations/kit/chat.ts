import type { IngestPayload } from '../../src/contract/ingest.ts'
import type { BlockType } from '../../src/contract/vocabulary.ts'
import type { Json, Received, Reply } from './adapter.ts'
import { messageText } from './message.ts'
import type { Language } from './messages/index.ts'
import { fitsBody, normalizeText, oneLine } from './text.ts'

/** The commands people know from every chat, and what each makes. */
export const commandTypes: ReadonlyMap<string, BlockType> = new Map([
  ['win', 'wins_milestones'],
  ['news', 'general'],
  ['kudos', 'wins_milestones'],
  ['welcome', 'new_starter'],
])

/** The kinds of blocks, as a form names them. */
export const typeLabels: Record<BlockType, string> = {
  general: 'News',
  ceo_update: 'Update from the CEO',
  team_spotlight: 'Team spotlight',
  new_starter: 'New starter',
  policy_change: 'Policy change',
  event_announcement: 'Event',
  wins_milestones: 'Win or milestone',
  poll: 'Poll',
  learning_development: 'Learning and development',
}

interface Command {
  name: string
  blockType: BlockType
  /** What was written behind the command. */
  text: string
}

/**
 * The command a message begins with, in any case, as in `win We shipped`, `/win We shipped` or
 * `Win: we shipped`; `undefined` when its first word is none.
 */
function readCommand(message: string): Command | undefined {
  const [start = '', word = ''] = /^\s*[/!#]?(\p{L}+)[:,]?(?=\s|$)/u.exec(message) ?? []
  const blockType = commandTypes.get(word.toLowerCase())
  return blockType && { name: word.toLowerCase(), blockType, text: message.slice(start.length) }
}

/** What a person reads who asks for help. `before` stands before a command, such as `@Tidings `. */
const helpText = (before: string) =>
  [
    `\`${before}win We shipped version 2\` saves a win for the newsletter.`,
    `\`${before}news …\`, \`${before}kudos …\` and \`${before}welcome …\` do the same for news, thanks and new colleagues.`,
    'What you save waits in the library, where editors review it before it goes out.',
  ].join('\n\n')

/** Text without mentions of everybody: it notifies nobody, and they name no person. */
export const stripMentions = (text: string): string =>
  text.replace(/[^\S\n]?(?<!\w)@(?:all|channel|everyone|here)\b/gi, '').replace(/^[^\S\n]+/, '')

/** The honest answer once news is safe, before it lies in the library. */
export const savedText = 'Saved for the newsletter. It will be in the library in a moment.'

export const linkFollowsText = 'Its link will follow here.'

/** What a person reads whose news was given up, or whose Undo was. */
export const notSavedText =
  'This did not reach the library, although it was said to be saved. The admins of your newsletter can see why, and send it on again.'
export const notUndoneText =
  'This could not be taken back. The admins of your newsletter can see why.'

export const tooLongText = 'This is longer than the library takes (64 KiB), so nothing was saved.'

/** What is stored of news from a chat: what somebody wrote, and no id of a person. */
export type ChatSubmission = {
  external_id: string
  block_type: BlockType
  /** Left out: the first line of the body. */
  title?: string
  /** Markdown. */
  body: string
  /** The command it was sent with, such as `kudos`. */
  command?: string
  /** Whether it begins by naming a person. */
  startsWithMention?: boolean
  event_slug?: string
  /** The message that it was made from. */
  source_url?: string
  /** A name as people know it. */
  author?: string
}

/** The item of a chat message: a message of one line says it once, a longer one under its first line. */
export function buildChatItem(
  { external_id, block_type, body, command, startsWithMention, ...rest }: ChatSubmission,
  language: Language,
): IngestPayload {
  const text = messageText({
    markdown: body,
    title: rest.title,
    command,
    startsWithMention,
    language,
  })
  const author = oneLine(rest.author ?? '')
  return {
    ...text,
    block_type,
    external_id,
    ...(rest.event_slug && { event_slug: rest.event_slug }),
    ...(rest.source_url && { source_url: rest.source_url }),
    ...(author && { author }),
  }
}

interface Message {
  /** The text, beginning with its command. */
  text: string
  /** What stands before a command in this chat, such as `@Tidings `. */
  before: string
  deliveryId: string
  externalId: string
  author: string
  transient?: Json | undefined
  /** Whether the person will be told where the news lies. */
  linkFollows?: boolean
  /** An answer in the form of the chat. */
  say: (text: string) => Reply
}

/** Reads a message whose first word is a command, and answers it; what is no news is answered with help. */
export function receiveChatMessage({
  text,
  before,
  say,
  ...message
}: Message): Received<ChatSubmission> {
  const { deliveryId, externalId, author, transient, linkFollows } = message
  const command = readCommand(text)
  const body = normalizeText(command?.text ?? text)
  if (['', 'help', '?'].includes(oneLine(body).toLowerCase()))
    return { kind: 'handshake', reply: say(helpText(before)) }
  if (command === undefined) {
    const reason = 'it begins with no command'
    return { kind: 'ignored', deliveryId, reason, reply: say(helpText(before)) }
  }
  if (!fitsBody(body)) return { kind: 'handshake', reply: say(tooLongText) }
  return {
    kind: 'event',
    deliveryId,
    event: {
      external_id: externalId,
      block_type: command.blockType,
      body,
      author,
      command: command.name,
    },
    ...(transient !== undefined && { transient }),
    reply: say(linkFollows ? `${savedText} ${linkFollowsText}` : savedText),
  }
}
