import * as v from 'valibot'
import { slug } from '../../../src/contract/text.ts'
import { blockTypes } from '../../../src/contract/vocabulary.ts'
import type { ReceiveContext } from '../../kit/adapter.ts'
import { actionOfButton, buttonNames, emptyForm } from '../../kit/chat/buttons.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import type { Received } from '../../kit/requests/received.ts'
import { nameForLogs } from '../../kit/requests/webhook-request.ts'
import { oneLine } from '../../kit/text/fit-length.ts'
import { fitsBody, normalizeText, shortHash } from '../../kit/text/plain-text.ts'
import { isFile } from '../files.ts'
import { markupToMarkdown } from '../messages/text.ts'
import { hasCredentials, type Settings } from '../settings.ts'
import { ephemeralContextOf, type GoogleChatEvent } from '../stored-event.ts'
import { functionOf } from './add-on.ts'
import { confirmForm, isConfirmed } from './confirm.ts'
import { openDraft, receiveEdit, saveDraft } from './edit.ts'
import { type Event, nameOf } from './event.ts'
import { fieldOf, saveNews } from './form.ts'
import { openForm } from './receive-message.ts'
import { closeDialog, noReply, openDialog, refuseDialog } from './reply.ts'

type Context = ReceiveContext<Settings>

/** The function of the Undo button. */
export const undoNews = 'undo_news'

const ourId = /^google-chat:(?:message|form):[0-9a-f]{32}$/

/** Somebody used a button of a message or of a dialog. */
export async function receiveClick(
  event: Event,
  context: Context,
): Promise<Received<GoogleChatEvent>> {
  if (event.dialogEventType === 'CANCEL_DIALOG') return { kind: 'immediateReply', reply: noReply }
  const name = functionOf(event)
  const value = event.common?.parameters['value'] ?? ''
  switch (name) {
    case saveNews:
      return receiveForm(event, context)
    case saveDraft:
      return receiveEdit(event, context)
    case buttonNames.openForm:
      return await openForm(event, context, await formFor(event, value, context))
    case buttonNames.edit:
      return await openDraft(event, value, context)
    case undoNews:
      return receiveUndo(event, value, context)
    default:
      return receiveAction(event, { name, value }, context)
  }
}

/** A form with what the person wrote to the app before; that of a question asks for wins, and what is written there counts as a reply. */
const formFor = async ({ user }: Event, value: string, { team }: Context) =>
  value === emptyForm
    ? { written: user ? await team.unreadText(user.name) : null }
    : ({ blockType: 'wins_milestones', prompt: value } as const)

function receiveAction(
  event: Event,
  { name, value }: { name: string; value: string },
  { language, settings }: Context,
): Received<GoogleChatEvent> {
  const action = actionOfButton(name, value)
  if (!action) return { kind: 'unknown', eventName: nameForLogs(`button:${name}`) }
  const confirm = isConfirmed(event) ? undefined : confirmForm(name, value, language)
  if (confirm && event.dialogEventType === 'REQUEST_DIALOG')
    return { kind: 'immediateReply', reply: openDialog(confirm) }
  return {
    kind: 'event',
    deliveryId: clickId(event, value),
    event: { type: 'action', action },
    ephemeralContext: ephemeralContextOf(event, settings, placeOf(event)),
    reply: event.isDialogEvent ? closeDialog() : noReply,
  }
}

function receiveUndo(
  event: Event,
  externalId: string,
  { settings }: Context,
): Received<GoogleChatEvent> {
  if (!ourId.test(externalId)) return { kind: 'unknown', eventName: 'button:undo' }
  return {
    kind: 'event',
    deliveryId: clickId(event, externalId),
    event: { type: 'undo', external_id: externalId },
    ephemeralContext: ephemeralContextOf(event, settings, placeOf(event)),
    reply: noReply,
  }
}

function receiveForm(event: Event, { settings, language }: Context): Received<GoogleChatEvent> {
  const notes = event.common?.parameters ?? {}
  const written = normalizeText(fieldOf(event, 'body'))
  const body = markupToMarkdown(written, language)
  if (oneLine(body) === '')
    return { kind: 'immediateReply', reply: refuseDialog(chatText(language, 'nothing_written')) }
  if (!fitsBody(body))
    return { kind: 'immediateReply', reply: refuseDialog(chatText(language, 'too_long')) }
  const isQuoted = notes['message'] !== undefined
  const id = isQuoted
    ? `message:${shortHash(notes['message'] ?? '')}`
    : `form:${shortHash(notes['form'] ?? '')}`
  const linkFollows = hasCredentials(settings) && event.space?.name != null
  return {
    kind: 'event',
    deliveryId: `form:${shortHash(`${notes['form']} ${event.user?.name}`)}`,
    event: { ...newsOf(event, isQuoted), external_id: `google-chat:${id}`, body },
    ephemeralContext: ephemeralContextOf(event, settings, {
      ...(isQuoted && notes['author_id'] && { author: notes['author_id'] }),
      ...(notes['prompt'] && { prompt: notes['prompt'] }),
      ...(notes['unread_id'] && { unread_id: notes['unread_id'] }),
    }),
    reply: closeDialog(chatText(language, linkFollows ? 'saved_link_follows' : 'saved')),
  }
}

/** The fields of a form apart from its text. The author of a saved message stays its author. */
function newsOf(event: Event, isQuoted: boolean) {
  const notes = event.common?.parameters ?? {}
  const title = oneLine(fieldOf(event, 'title'))
  const eventSlug = v.safeParse(slug, fieldOf(event, 'news_event'))
  const author = isQuoted ? oneLine(notes['author'] ?? '') : nameOf(event.user)
  const file = notes['file'] ?? ''
  return {
    type: 'news' as const,
    block_type: v.parse(
      v.fallback(v.picklist(blockTypes), 'general'),
      fieldOf(event, 'block_type'),
    ),
    ...(title && { title }),
    ...(eventSlug.success && { event_slug: eventSlug.output }),
    ...(author && { author }),
    ...(isFile(file) && { file }),
    ...(notes['private'] === 'yes' && { is_private: true }),
  }
}

const placeOf = ({ message }: Event) => (message?.name ? { message: message.name } : {})

/** The id of a click. Google sends no id of its own, and the time has fractions of a second. */
const clickId = ({ user, eventTime, message }: Event, value: string): string =>
  `click:${shortHash(`${eventTime} ${user?.name} ${message?.name} ${value}`)}`
