import type { App } from '@slack/bolt'
import { chatText } from '../../kit/chat/locales/index.ts'
import { messagesWanted, replyToWord } from '../../kit/chat/tidings-command.ts'
import { oneLine } from '../../kit/text/fit-length.ts'
import { chatLocale } from '../format.ts'
import { ephemeral } from '../messages/followup.ts'
import { commandDelivery } from './commands.ts'
import type { SlackRequest, SlackResult } from './request-result.ts'

/** Listens for `/tidings`, whose reply only the person who asks sees. */
export function listenForTidings(app: App, request: SlackRequest): void {
  app.command('/tidings', async ({ command, ack }) => {
    const word = oneLine(command.text).toLowerCase()
    const wanted = messagesWanted(word)
    if (wanted !== undefined) {
      request.setResult(switched(command, wanted, request))
      return ack()
    }
    request.setResult({ kind: 'immediateReply' })
    const { team, language } = request
    const name = oneLine(command.user_name) || command.user_id
    const asking = { user: command.user_id, name, team }
    const reply = await replyToWord(word, asking, chatLocale(language))
    return ack(ephemeral(reply ?? helpText(language)))
  })
}

const helpText = (language: SlackRequest['language']) =>
  `${chatText(language, 'tidings_help', { command: '/tidings ' })}\n${chatText(language, 'tidings_help_commands')}`

interface Command {
  user_id: string
  trigger_id: string
  response_url: string
}

function switched(command: Command, wanted: boolean, { now }: SlackRequest): SlackResult {
  const { user_id: user, response_url } = command
  return {
    kind: 'event',
    deliveryId: commandDelivery(command),
    event: { type: 'action', action: { type: 'messages', wanted } },
    ephemeralContext: { user, people: [], response_url, since: now.toISOString() },
  }
}
