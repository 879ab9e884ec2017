import {
  InteractionResponseFlags,
  InteractionResponseType,
  InteractionType,
} from 'discord-interactions'
import type { BlockType } from '../../src/contract/vocabulary.ts'
import type { ReceiveContext } from '../kit/adapter.ts'
import { commandTypes } from '../kit/chat/chat.ts'
import { chatText } from '../kit/chat/locales/index.ts'
import type { Received, Reply } from '../kit/received.ts'
import { oneLine } from '../kit/text.ts'
import { badRequest, nameForLogs } from '../kit/webhook-request.ts'
import { type Image, imageOf, isFile } from './files.ts'
import { type DiscordEvent, ephemeralContextOf, undoOf } from './followup.ts'
import { isOurForm, openForm, type Quoted, readForm } from './form.ts'
import {
  type Command,
  type FilledForm,
  type Interaction,
  type Message,
  nameOf,
  type Press,
} from './interaction.ts'
import type { Settings } from './settings.ts'
import { discordToText, namesInCommand, namesInMessage, noNames } from './text.ts'

const chatCommand = 1
const messageCommand = 3

/** A message that only one person sees and that notifies nobody. */
export const ephemeral = (content: string): Reply => ({
  body: {
    type: InteractionResponseType.CHANNEL_MESSAGE_WITH_SOURCE,
    data: { content, flags: InteractionResponseFlags.EPHEMERAL, allowed_mentions: { parse: [] } },
  },
})

/** The result of an interaction. */
export function receiveInteraction(
  interaction: Interaction,
  context: ReceiveContext<Settings>,
): Received<DiscordEvent> {
  switch (interaction.type) {
    case InteractionType.APPLICATION_COMMAND:
      return receiveCommand(interaction, context)
    case InteractionType.MESSAGE_COMPONENT:
      return receivePress(interaction, context)
    case InteractionType.MODAL_SUBMIT:
      return receiveForm(interaction, context)
  }
}

function receiveCommand(
  command: Command,
  context: ReceiveContext<Settings>,
): Received<DiscordEvent> {
  const { type, name, target_id, resolved, options } = command.data
  if (type === messageCommand) {
    const message = resolved?.messages?.[target_id ?? '']
    return message
      ? { kind: 'immediateReply', reply: formFor(message, context) }
      : badRequest('a message command without its message')
  }
  const blockType = type === chatCommand ? commandTypes.get(name) : undefined
  if (blockType === undefined) return { kind: 'unknown', eventName: nameForLogs(`command:${name}`) }
  const optionValue = (option: string) => options.find((one) => one.name === option)?.value
  const text = optionValue('text')
  const image = imageOf(resolved?.attachments?.[String(optionValue('image'))], context.settings)
  const body = discordToText(
    typeof text === 'string' ? text : '',
    namesInCommand(command.data),
    context.language,
  )
  return oneLine(body) === ''
    ? { kind: 'immediateReply', reply: openForm({ blockType, body: '', image }, context.language) }
    : news(
        command,
        { blockType, body, command: name, startsWithMention: /^\s*<@/.test(String(text)), image },
        context,
      )
}

/** A message opens a form, so that a person checks it before it is saved. */
function formFor(message: Message, { language, settings }: ReceiveContext<Settings>): Reply {
  const { channel_id: channel, id, author, attachments } = message
  const body = discordToText(message.content, namesInMessage(message), language)
  const quoted = { channel, message: id, author: nameOf(author) }
  const images = attachments.map((attachment) => imageOf(attachment, settings))
  const image = images.find((image) => image)
  return openForm({ blockType: 'general', body, quoted, image }, language)
}

function receiveForm(form: FilledForm, context: ReceiveContext<Settings>): Received<DiscordEvent> {
  if (!isOurForm(form.data.custom_id))
    return { kind: 'unknown', eventName: nameForLogs(`form:${form.data.custom_id}`) }
  const { title, body, ...rest } = readForm(form.data)
  const written = {
    ...rest,
    title: oneLine(discordToText(title, noNames, context.language)),
    body: discordToText(body, noNames, context.language),
    image: rest.image && isFile(rest.image.file, context.settings) ? rest.image : undefined,
  }
  return oneLine(written.body) === ''
    ? { kind: 'immediateReply', reply: ephemeral(chatText(context.language, 'nothing_written')) }
    : news(form, written, context)
}

interface Written {
  blockType: BlockType
  command?: string
  startsWithMention?: boolean
  title?: string
  body: string
  quoted?: Quoted | undefined
  image?: Image | undefined
}

function news(
  interaction: Command | FilledForm,
  { blockType, title, body, quoted, command, startsWithMention, image }: Written,
  context: ReceiveContext<Settings>,
): Received<DiscordEvent> {
  const { id, member, user } = interaction
  const author = quoted ? quoted.author : nameOf(member?.user ?? user, member?.nick)
  const ephemeralContext = ephemeralContextOf(interaction, context.settings, context.now)
  return {
    kind: 'event',
    deliveryId: id,
    event: {
      type: 'news',
      external_id: quoted
        ? `discord:message:${quoted.channel}:${quoted.message}`
        : `discord:interaction:${id}`,
      block_type: blockType,
      ...(command && { command }),
      ...(startsWithMention && { startsWithMention }),
      ...(title && { title }),
      body,
      ...(author && { author }),
      ...(image && { file: image.file }),
      ...(image?.file_alt && { file_alt: image.file_alt }),
    },
    ...(ephemeralContext && { ephemeralContext }),
    reply: ephemeral(chatText(context.language, ephemeralContext ? 'saved_link_follows' : 'saved')),
  }
}

function receivePress(press: Press, context: ReceiveContext<Settings>): Received<DiscordEvent> {
  const { id } = press
  const external_id = undoOf(press.data.custom_id)
  if (external_id === undefined)
    return { kind: 'unknown', eventName: nameForLogs(`button:${press.data.custom_id}`) }
  const ephemeralContext = ephemeralContextOf(press, context.settings, context.now)
  return {
    kind: 'event',
    deliveryId: id,
    event: { type: 'undo', external_id },
    ...(ephemeralContext && { ephemeralContext }),
    // The message with the button is replaced when the result is known.
    reply: { body: { type: InteractionResponseType.DEFERRED_UPDATE_MESSAGE } },
  }
}
