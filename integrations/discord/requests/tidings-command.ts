import { InteractionResponseFlags, InteractionResponseType } from 'discord-interactions'
import type { Language } from '../../../src/contract/vocabulary.ts'
import type { ReceiveContext } from '../../kit/adapter.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import { messagesWanted, replyToWord } from '../../kit/chat/tidings-command.ts'
import type { Received, Reply } from '../../kit/requests/received.ts'
import { ephemeral } from '../messages/components.ts'
import { chatLocale } from '../messages/format.ts'
import type { Settings } from '../settings.ts'
import { type DiscordEvent, ephemeralContextOf } from '../stored-event.ts'
import { type Command, personOf } from './interaction.ts'

/** The reply follows, for the person who asks alone. */
const replyFollows: Reply = {
  body: {
    type: InteractionResponseType.DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE,
    data: { flags: InteractionResponseFlags.EPHEMERAL },
  },
}

/** The reply to `/tidings` and its subcommand, which only the person who asks sees. */
export async function receiveTidings(
  command: Command,
  context: ReceiveContext<Settings>,
): Promise<Received<DiscordEvent>> {
  const { team, language } = context
  const word = command.data.options[0]?.name ?? 'help'
  const wanted = messagesWanted(word)
  if (wanted !== undefined) {
    const event = { type: 'action' as const, action: { type: 'messages' as const, wanted } }
    const ephemeralContext = ephemeralContextOf(command, context, { isAsked: true })
    return { kind: 'event', deliveryId: command.id, event, ephemeralContext, reply: replyFollows }
  }
  const { id = '', name } = personOf(command)
  const asking = { user: id, name: name || id, team }
  const reply = id === '' ? undefined : await replyToWord(word, asking, chatLocale(language))
  return { kind: 'immediateReply', reply: ephemeral(reply ?? helpText(language)) }
}

const helpText = (language: Language) =>
  `${chatText(language, 'tidings_help', { command: '/tidings ' })}\n${chatText(language, 'tidings_help_commands')}`
