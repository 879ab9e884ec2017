import type { IngestPayload } from '../src/contract/ingest.ts'
import type { BlockType } from '../src/contract/vocabulary.ts'
import { oneLine, plainBody, titleOf } from './text.ts'

/** The commands people know from every chat, and what each makes. */
export const commandTypes: ReadonlyMap<string, BlockType> = new Map([
  ['win', 'wins_milestones'],
  ['news', 'general'],
  ['kudos', 'wins_milestones'],
  ['welcome', 'new_starter'],
])

interface Command {
  word: string
  blockType: BlockType
  /** What was written behind the command. */
  text: string
}

/**
 * The command a message begins with, in any case, as in `win We shipped`, `/win We shipped` or
 * `Win: we shipped`; `undefined` when its first word is none.
 */
export function readCommand(message: string): Command | undefined {
  const [start = '', word = ''] = /^\s*[/!#]?(\p{L}+)[:,]?(?=\s|$)/u.exec(message) ?? []
  const name = word.toLowerCase()
  const blockType = commandTypes.get(name)
  return blockType && { word: name, blockType, text: message.slice(start.length).trim() }
}

/** Whether somebody only asks what they can write. */
export const asksForHelp = (message: string): boolean =>
  ['', 'help', '/help', '?'].includes(oneLine(message).toLowerCase())

/** What a person reads who asks for help. `before` stands before a command, such as `@Tidings `. */
export const helpText = (before: string): string =>
  [
    `\`${before}win We shipped version 2\` saves a win for the newsletter.`,
    `\`${before}news …\`, \`${before}kudos …\` and \`${before}welcome …\` do the same for news, thanks and new colleagues.`,
    'What you save waits in the library, where editors review it before it goes out.',
  ].join('\n\n')

/** The honest answer once news is safe, before it lies in the library. */
export const saved = 'Saved for the newsletter. It will be in the library in a moment.'

export const tooLong =
  'This is longer than the library takes (64 KiB), so nothing was saved for the newsletter.'

export const nothingWritten =
  'Nothing was saved for the newsletter: write your news behind the command.'

/** What is stored of news from a chat: what somebody wrote, and no id of a person. */
export type ChatNews = {
  external_id: string
  block_type: BlockType
  /** Left out: the first line of the body. */
  title?: string
  body: string
  event_slug?: string
  /** A name as people know it. */
  author?: string
}

/** The block that news from a chat becomes: the whole text, under its first line. */
export function chatItem({ external_id, block_type, body, ...news }: ChatNews): IngestPayload {
  const author = oneLine(news.author ?? '')
  return {
    title: oneLine(news.title ?? '') || titleOf(body),
    body: plainBody(body),
    block_type,
    external_id,
    ...(news.event_slug && { event_slug: news.event_slug }),
    ...(author && { author }),
  }
}
