import * as v from 'valibot'
import { slug } from '../../../../src/contract/text.ts'
import { type BlockType, blockTypes } from '../../../../src/contract/vocabulary.ts'
import type { ReceiveContext } from '../../../kit/adapter.ts'
import { emptyForm } from '../../../kit/chat/buttons.ts'
import { chatText } from '../../../kit/chat/locales/index.ts'
import { itemText } from '../../../kit/chat/messages/item-text.ts'
import type { Received } from '../../../kit/requests/received.ts'
import type { UnreadText } from '../../../kit/team-api.ts'
import { oneLine } from '../../../kit/text/fit-length.ts'
import { fitsBody, normalizeText, shortHash } from '../../../kit/text/plain-text.ts'
import type { Settings } from '../../settings.ts'
import { readText } from '../../text.ts'
import { isPrivate } from '../channels.ts'
import { isFile } from '../files.ts'
import { closeDialog, dialogMessage, openDialog } from '../messages/reply.ts'
import { hasImage, savedMessage } from '../saved-images.ts'
import { type BotEvent, ephemeralContextOf } from '../stored-event.ts'
import {
  type BotActivity,
  imageOf,
  type MessagePayload,
  mentionsAsTags,
  nameOf,
  userOf,
} from './activity.ts'
import { newsForm } from './form.ts'

type Context = ReceiveContext<Settings>

interface FormFor {
  /** The message that is saved. */
  message?: MessagePayload | null | undefined
  /** The question to which the form replies. */
  prompt?: string
  /** What the person wrote to the bot before. */
  written?: UnreadText | null
}

/** Opens the form for news, for a message that somebody wrote, or for the reply to a question. */
export async function openForm(
  activity: BotActivity,
  { team, language, settings, provider }: Context,
  { message, prompt, written }: FormFor,
): Promise<Received<BotEvent>> {
  const body = message
    ? readText(mentionsAsTags(message.body?.content ?? '')).trim()
    : (written?.text ?? '')
  const blockType: BlockType = prompt ? 'wins_milestones' : 'general'
  const form = shortHash(`${activity.id} ${activity.timestamp} ${userOf(activity)}`)
  const quoted = message ? quotedNotes(activity, message, settings) : unreadNotes(written)
  const isHidden = message
    ? await isPrivate(activity, { settings, provider })
    : written?.fromPrivate === true
  const secrecy = isHidden ? { private: 'yes' } : {}
  const card = newsForm(
    {
      blockType,
      title: body === '' ? '' : itemText({ markdown: body, language }).title,
      body,
      notes: { form, ...quoted, ...secrecy, ...(prompt !== undefined && { prompt }) },
      events: await team.events(''),
    },
    language,
  )
  return { kind: 'immediateReply', reply: openDialog(chatText(language, 'form_title'), card) }
}

/** What is stored in the form about a text to the bot. */
const unreadNotes = (written: UnreadText | null | undefined): Record<string, string> =>
  written ? { unread_id: written.id, ...(written.image && { file: written.image.file }) } : {}

/** What is stored in the form about a message. */
function quotedNotes(activity: BotActivity, message: MessagePayload, settings: Settings) {
  const { user } = message.from ?? {}
  const author = oneLine(user?.displayName ?? '')
  const file = imageOf(message.attachments)
  return {
    message: shortHash(`${activity.conversation.id.split(';')[0]} ${message.id}`),
    ...(author && { author }),
    ...(user?.id && { author_id: user.id }),
    ...(file !== undefined && isFile(file, settings) && { file }),
    ...(settings.read_images && hasImage(message.body?.content ?? '') && { image_of: message.id }),
  }
}

/** Stores the news of a submitted form. */
export function receiveForm(
  activity: BotActivity,
  fields: Record<string, string>,
  { language, settings }: Context,
): Received<BotEvent> {
  const body = normalizeText(fields['body'] ?? '')
  const refusal = body === '' ? 'nothing_written' : 'too_long'
  if (body === '' || !fitsBody(body))
    return { kind: 'immediateReply', reply: dialogMessage(chatText(language, refusal)) }
  const { message, form = '', author_id, prompt, unread_id } = fields
  const isQuoted = message !== undefined
  const id = isQuoted ? `message:${shortHash(message)}` : `form:${shortHash(form)}`
  return {
    kind: 'event',
    deliveryId: `form:${shortHash(`${form} ${userOf(activity)}`)}`,
    event: { ...newsOf(activity, fields, settings), external_id: `teams:${id}`, body },
    ephemeralContext: ephemeralContextOf(activity, {
      ...(isQuoted && author_id && { author: author_id }),
      ...(prompt && { prompt }),
      ...(unread_id && { unread_id }),
    }),
    reply: closeDialog,
  }
}

/** The fields of a form apart from its text. The author of a saved message stays its author. */
function newsOf(activity: BotActivity, fields: Record<string, string>, settings: Settings) {
  const title = oneLine(fields['title'] ?? '')
  const event = v.safeParse(slug, fields['news_event'] === emptyForm ? '' : fields['news_event'])
  const author =
    fields['message'] === undefined ? nameOf(activity) : oneLine(fields['author'] ?? '')
  const file = fileOf(activity, fields, settings)
  return {
    type: 'news' as const,
    block_type: v.parse(v.fallback(v.picklist(blockTypes), 'general'), fields['block_type']),
    ...(title && { title }),
    ...(event.success && { event_slug: event.output }),
    ...(author && { author }),
    ...(file !== undefined && { file }),
    ...(fields['private'] === 'yes' && { is_private: true }),
  }
}

/** The image of a form: a file of Teams, or the image of the message that is saved. */
function fileOf(
  activity: BotActivity,
  { file = '', image_of }: Record<string, string>,
  settings: Settings,
): string | undefined {
  if (isFile(file, settings)) return file
  return image_of && settings.read_images ? savedMessage(activity, image_of) : undefined
}
