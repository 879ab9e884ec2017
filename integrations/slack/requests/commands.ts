import type { App } from '@slack/bolt'
import type { BlockType } from '../../../src/contract/vocabulary.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import { commandTypes } from '../../kit/chat/submissions.ts'
import { parseMrkdwn } from '../../kit/markdown/mrkdwn.ts'
import { oneLine } from '../../kit/text/fit-length.ts'
import { fitsBody, normalizeText, shortHash } from '../../kit/text/plain-text.ts'
import { removeUserIds } from '../events/stored-event.ts'
import { ephemeral } from '../messages/followup.ts'
import { openForm } from './forms/form.ts'
import type { SlackRequest, SlackResult } from './request-result.ts'

interface Command {
  command: string
  text: string
  user_id: string
  user_name: string
  channel_id?: string | undefined
  trigger_id: string
  response_url: string
}

/** Listens for the slash commands. */
export function listenForCommands(app: App, request: SlackRequest): void {
  for (const [word, blockType] of commandTypes)
    app.command(`/${word}`, async ({ command, ack }) => {
      const text = normalizeText(command.text)
      if (oneLine(text) === '') {
        request.setResult({ kind: 'immediateReply', after: emptyForm(command, blockType, request) })
        return ack()
      }
      if (text.toLowerCase() === 'help' || !fitsBody(text)) {
        request.setResult({ kind: 'immediateReply' })
        const key = fitsBody(text) ? 'command_help' : 'too_long'
        return ack(ephemeral(chatText(request.language, key)))
      }
      request.setResult(news(command, blockType, text, request))
      return ack(ephemeral(chatText(request.language, 'saved_link_follows')))
    })
}

/** The delivery id of a command: each command has its own trigger. */
export const commandDelivery = (command: { trigger_id: string }) =>
  `command:${shortHash(command.trigger_id)}`

function news(
  command: Command,
  blockType: BlockType,
  text: string,
  request: SlackRequest,
): SlackResult {
  const people: string[] = []
  return {
    kind: 'event',
    deliveryId: commandDelivery(command),
    event: {
      type: 'news',
      external_id: `slack:command:${shortHash(command.trigger_id)}`,
      block_type: blockType,
      command: command.command.slice(1),
      body: removeUserIds(parseMrkdwn(text, request.language), people),
      ...(command.user_name && { author: command.user_name }),
    },
    ephemeralContext: {
      user: command.user_id,
      author: command.user_id,
      people,
      response_url: command.response_url,
      since: request.now.toISOString(),
      ...(command.channel_id && { source: command.channel_id }),
    },
  }
}

function emptyForm(command: Command, blockType: BlockType, request: SlackRequest) {
  const since = request.now.toISOString()
  return openForm(request, {
    trigger_id: command.trigger_id,
    address: { user: command.user_id, response_url: command.response_url, since },
    form: async () => ({
      blockType,
      notes: {
        response_url: command.response_url,
        since,
        ...(command.channel_id && { source: command.channel_id }),
      },
    }),
  })
}
