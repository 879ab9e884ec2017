import type { BlockType } from '../../../src/contract/vocabulary.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import { commandTypes, helpText, receiveChatMessage } from '../../kit/chat/submissions.ts'
import { messagesWanted, replyToWord } from '../../kit/chat/tidings-command.ts'
import { nameFromLogin } from '../../kit/item.ts'
import type { Json, Received } from '../../kit/requests/received.ts'
import { oneLine } from '../../kit/text/fit-length.ts'
import { shortHash } from '../../kit/text/plain-text.ts'
import { chatLocale } from '../messages/format.ts'
import { canReply, ephemeral, noReply } from '../messages/reply.ts'
import { isCommand, readable } from '../messages/text.ts'
import { postOfLink } from '../saved-post.ts'
import { hasBot } from '../settings.ts'
import type { EphemeralContext, MattermostEvent } from '../stored-event.ts'
import type { RequestContext } from './context.ts'
import { isTriggerFor } from './dialog.ts'
import { openForm } from './form.ts'
import { replyEvent } from './open-with-trigger.ts'
import type { SlashCommand } from './request.ts'

/** Reads a slash command, which is one of ours (`/win Hi`) or precedes one (`/tidings win Hi`). */
export async function receiveCommand(
  command: SlashCommand,
  body: string,
  context: RequestContext,
): Promise<Received<MattermostEvent>> {
  const { trigger_id: trigger, user_id: user } = command
  const received = isOurs(command) ? undefined : await replyToWordOf(command, body, context)
  if (received) return received
  const saved = receiveLink(command, body, context)
  if (saved) return saved
  const blockType = typeWithoutText(command)
  const canOpen = context.settings.server_url !== undefined && isTriggerFor(trigger, user)
  if (blockType === undefined || !canOpen) return receiveNews(command, body, context)
  const address = addressOf(command, context.now)
  const after = openForm({ trigger, address, blockType }, context)
  return { kind: 'immediateReply', reply: noReply, after }
}

/** A command with the link to a message saves that message; undefined for other texts, and without a bot. */
function receiveLink(
  command: SlashCommand,
  body: string,
  { settings, now }: RequestContext,
): Received<MattermostEvent> | undefined {
  const [, word = '', link = ''] = /^\s*(?:(\w+)\s+)?(\S+)\s*$/.exec(command.text) ?? []
  const post = hasBot(settings) ? postOfLink(link, settings) : undefined
  if (post === undefined || (word !== '' && !isCommand(word))) return undefined
  const name = isOurs(command) ? command.command.slice(1) : word
  const block_type = commandTypes.get(name.toLowerCase()) ?? 'general'
  return {
    kind: 'event',
    deliveryId: idOf(command, body),
    event: { type: 'saved', post, link, block_type },
    ephemeralContext: addressOf(command, now),
    reply: noReply,
  }
}

/** Whether the command itself says what is saved, as `/win` does. */
const isOurs = ({ command }: SlashCommand) => isCommand(command.slice(1))

/** The type of block of a command that has no text; undefined for other commands. */
function typeWithoutText(command: SlashCommand): BlockType | undefined {
  const word = oneLine(command.text).toLowerCase()
  if (!isOurs(command)) return commandTypes.get(word)
  return word === '' ? commandTypes.get(command.command.slice(1).toLowerCase()) : undefined
}

const idOf = ({ trigger_id }: SlashCommand, body: string) =>
  `command:${shortHash(trigger_id || body)}`

const addressOf = (
  { response_url, user_id, user_name }: SlashCommand,
  now: Date,
): EphemeralContext => ({
  since: now.toISOString(),
  response_url,
  ...(user_id && { user: user_id, name: nameFromLogin(user_name) }),
  thanked: [],
  isShown: false,
})

/** The reply to a word after `/tidings`; undefined for other texts. */
async function replyToWordOf(
  command: SlashCommand,
  body: string,
  context: RequestContext,
): Promise<Received<MattermostEvent> | undefined> {
  const { user_id: user, user_name, command: name } = command
  const { team, language, settings, now } = context
  const word = oneLine(command.text).toLowerCase()
  const address = addressOf(command, now)
  if (user === '' || !canReply(address, settings)) return undefined
  if (['', 'help', '?'].includes(word)) {
    const before = `${name} `
    const words = chatText(language, 'tidings_help', { command: before })
    const text = `${helpText(language, before)}\n\n${words}`
    return { kind: 'immediateReply', reply: ephemeral(text) }
  }
  // The link is sent after the server has confirmed who wrote the command: its token is known to several people.
  if (word === 'link') {
    const { trigger_id: trigger } = command
    const link = replyEvent('link', { trigger, address: { ...address, trigger } })
    return { kind: 'event', ...link, reply: noReply }
  }
  const wanted = messagesWanted(word)
  if (wanted !== undefined)
    return {
      kind: 'event',
      deliveryId: idOf(command, body),
      event: { type: 'action', action: { type: 'messages', wanted } },
      ephemeralContext: address,
      reply: noReply,
    }
  const asking = { user, name: nameFromLogin(user_name), team }
  const reply = await replyToWord(word, asking, chatLocale(language))
  return reply === undefined ? undefined : { kind: 'immediateReply', reply: ephemeral(reply) }
}

/** The result for a command with news; other texts get help. */
function receiveNews(
  command: SlashCommand,
  body: string,
  { settings, language, now }: RequestContext,
): Received<MattermostEvent> {
  const { command: name, text, user_name, user_mentions_ids } = command
  const id = idOf(command, body)
  const written = isOurs(command) ? `${name} ${text}` : text
  const isKudos = /^\s*\/?kudos\b/i.test(written)
  const address = { ...addressOf(command, now), thanked: isKudos ? user_mentions_ids : [] }
  const ephemeralContext: Json = address
  const linkFollows = canReply(address, settings)
  return receiveChatMessage({
    text: readable(written),
    before: isOurs(command) ? '/' : `${name} `,
    deliveryId: id,
    externalId: `mattermost:${id}`,
    author: nameFromLogin(user_name),
    ...(linkFollows && { ephemeralContext, linkFollows }),
    language,
    reply: (text) => ({ body: { response_type: 'ephemeral', text } }),
  })
}
