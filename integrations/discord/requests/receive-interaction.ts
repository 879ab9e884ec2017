import { InteractionType } from 'discord-interactions'
import type { BlockType } from '../../../src/contract/vocabulary.ts'
import type { ReceiveContext } from '../../kit/adapter.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import { commandTypes } from '../../kit/chat/submissions.ts'
import type { Received, Reply } from '../../kit/requests/received.ts'
import { badRequest, nameForLogs } from '../../kit/requests/webhook-request.ts'
import { oneLine } from '../../kit/text/fit-length.ts'
import { type Image, imageOf, isFile } from '../files.ts'
import { ephemeral } from '../messages/components.ts'
import { discordToText, namesInCommand, namesInMessage, noNames } from '../messages/text.ts'
import type { Settings } from '../settings.ts'
import { type DiscordEvent, type EphemeralContext, ephemeralContextOf } from '../stored-event.ts'
import { receiveButtonClick } from './actions.ts'
import { isDraftForm, receiveDraft } from './edit-form.ts'
import { isOurForm, openForm, type Quoted, readForm } from './form.ts'
import {
  type Command,
  type FilledForm,
  type Interaction,
  type Message,
  nameOf,
} from './interaction.ts'
import { receiveTidings } from './tidings-command.ts'

const chatCommand = 1
const messageCommand = 3

/** The result of an interaction. */
export async function receiveInteraction(
  interaction: Interaction,
  context: ReceiveContext<Settings>,
): Promise<Received<DiscordEvent>> {
  switch (interaction.type) {
    case InteractionType.APPLICATION_COMMAND:
      return await receiveCommand(interaction, context)
    case InteractionType.MESSAGE_COMPONENT:
      return await receiveButtonClick(interaction, context)
    case InteractionType.MODAL_SUBMIT:
      return receiveForm(interaction, context)
  }
}

async function receiveCommand(
  command: Command,
  context: ReceiveContext<Settings>,
): Promise<Received<DiscordEvent>> {
  const { type, name, target_id, resolved, options } = command.data
  if (type === messageCommand) {
    const message = resolved?.messages?.[target_id ?? '']
    return message
      ? { kind: 'immediateReply', reply: formFor(message, context) }
      : badRequest('a message command without its message')
  }
  if (type === chatCommand && name === 'tidings') return await receiveTidings(command, context)
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
        {
          blockType,
          body,
          command: name,
          startsWithMention: /^\s*<@/.test(String(text)),
          image,
          about: { thanked: name === 'kudos' ? mentionedIn(String(text)) : [] },
        },
        context,
      )
}

/** The ids of the people whom a text mentions. */
const mentionedIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/<@!?(\d{1,20})>/g)].map(([, id = '']) => id)),
]

/** A message opens a form, so that a person checks it before it is saved. */
function formFor(message: Message, { language, settings }: ReceiveContext<Settings>): Reply {
  const { channel_id: channel, id, author, attachments } = message
  const body = discordToText(message.content, namesInMessage(message), language)
  const authorId = author.bot === true ? null : (author.id ?? null)
  const quoted = { channel, message: id, author: nameOf(author), authorId }
  const images = attachments.map((attachment) => imageOf(attachment, settings))
  const image = images.find((image) => image)
  return openForm({ blockType: 'general', body, quoted, image }, language)
}

function receiveForm(form: FilledForm, context: ReceiveContext<Settings>): Received<DiscordEvent> {
  if (isDraftForm(form.data.custom_id)) return receiveDraft(form, context)
  if (!isOurForm(form.data.custom_id))
    return { kind: 'unknown', eventName: nameForLogs(`form:${form.data.custom_id}`) }
  const { title, body, prompt, quoted, ...rest } = readForm(form.data)
  const { guild_id: server } = form
  const written = {
    ...rest,
    title: oneLine(discordToText(title, noNames, context.language)),
    body: discordToText(body, noNames, context.language),
    quoted,
    ...(quoted && server && { saved_from: { channel: quoted.channel, server } }),
    about: { ...(prompt && { prompt }), ...(quoted?.authorId && { author: quoted.authorId }) },
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
  saved_from?: { channel: string; server: string }
  image?: Image | undefined
  /** The people and the question that it is about. */
  about: Partial<EphemeralContext>
}

function news(
  interaction: Command | FilledForm,
  { blockType, title, body, quoted, saved_from, command, startsWithMention, image, about }: Written,
  context: ReceiveContext<Settings>,
): Received<DiscordEvent> {
  const { id, member, user } = interaction
  const author = quoted ? quoted.author : nameOf(member?.user ?? user, member?.nick)
  const ephemeralContext = ephemeralContextOf(interaction, context, about)
  const linkFollows = (interaction.application_id ?? context.settings.application_id) != null
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
      ...(saved_from && { saved_from }),
      ...(image && { file: image.file }),
      ...(image?.file_alt && { file_alt: image.file_alt }),
    },
    ephemeralContext,
    reply: ephemeral(chatText(context.language, linkFollows ? 'saved_link_follows' : 'saved')),
  }
}
