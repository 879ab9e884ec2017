import * as v from 'valibot'
import type { Language } from '../../../../src/contract/vocabulary.ts'
import type { ReceiveContext } from '../../../kit/adapter.ts'
import { accountLinkText } from '../../../kit/chat/action-replies.ts'
import { markdownFormat, textForForm } from '../../../kit/chat/forms/edit-text.ts'
import { readTitle } from '../../../kit/chat/forms/form-fields.ts'
import { chatText } from '../../../kit/chat/locales/index.ts'
import { confirmationOf } from '../../../kit/chat/messages/confirmation.ts'
import type { Received } from '../../../kit/requests/received.ts'
import { badRequest } from '../../../kit/requests/webhook-request.ts'
import type { DraftToEdit } from '../../../kit/team-api.ts'
import { normalizeText, shortHash } from '../../../kit/text/plain-text.ts'
import type { Settings } from '../../settings.ts'
import { inTime } from '../client.ts'
import { bodyCharacters } from '../limits.ts'
import { getPerson } from '../members.ts'
import { type AdaptiveCard, adaptiveCard, submitAction, textBlock } from '../messages/cards.ts'
import { chatLocale } from '../messages/format.ts'
import { closeDialog, dialogMessage, openDialog } from '../messages/reply.ts'
import { type BotEvent, ephemeralContextOf } from '../stored-event.ts'
import { type BotActivity, invokeValue, nameOf, textsOf, userOf } from './activity.ts'
import { bodyInput, titleInput } from './form.ts'

type Context = ReceiveContext<Settings>

/** The name of the button that saves a draft. */
export const saveDraft = 'save_draft'

/** The dialog in which a person confirms the use of a button; undefined for one that needs none. */
export function confirmDialog(
  activity: BotActivity,
  { name, value }: { name: string; value: string },
  language: Language,
) {
  const question = confirmationOf(name, language)
  if (!question) return undefined
  const data = { button: name, value, ...cardOf(activity) }
  const card = adaptiveCard(
    [textBlock(question.text)],
    [submitAction(question.label, data, { style: 'destructive' })],
  )
  return openDialog(question.title, card)
}

/** The message with the button, which the activity of a dialog does not contain. */
const cardOf = ({ replyToId }: BotActivity) => (replyToId ? { card: replyToId } : {})

/** Opens a draft for a person who may review it; others read why it does not open. */
export async function openDraft(
  activity: BotActivity,
  blockId: string,
  { team, language, settings, provider }: Context,
): Promise<Received<BotEvent>> {
  const user = userOf(activity)
  const name = nameOf(activity) || user
  const person = await getPerson(
    inTime({ settings, provider }),
    user,
    activity.conversation.id,
  ).catch(() => null)
  // A person who has linked their account is known also when Teams does not respond.
  const asked = person ?? { id: user, name, isActive: true, email: null }
  const draft = asked.isActive ? await team.draftToEdit(asked, blockId) : 'missing'
  const title = chatText(language, 'edit_title')
  if (typeof draft !== 'string')
    return {
      kind: 'immediateReply',
      reply: openDialog(title, draftForm(draft, activity, language)),
    }
  const text =
    draft === 'not_linked'
      ? accountLinkText(await team.accountLink({ user, name }), chatLocale(language))
      : chatText(language, draft === 'viewer' ? 'review_viewer' : 'review_missing')
  return { kind: 'immediateReply', reply: openDialog(title, adaptiveCard([textBlock(text)])) }
}

function draftForm(draft: DraftToEdit, activity: BotActivity, language: Language): AdaptiveCard {
  const { id, version, title, url } = draft
  const text = textForForm(draft, markdownFormat)
  const isEditable = text !== null && text.length <= bodyCharacters
  const link = `[${chatText(language, 'edit_open')}](${url})`
  const hint = isEditable ? link : `${chatText(language, 'edit_in_tidings')} ${link}`
  const data = {
    button: saveDraft,
    value: id,
    version: String(version),
    has_text: isEditable ? 'yes' : 'no',
    ...cardOf(activity),
  }
  return adaptiveCard(
    [
      titleInput(title, language),
      ...(isEditable ? [bodyInput(text, language)] : []),
      textBlock(hint),
    ],
    [submitAction(chatText(language, 'form_save'), data, { style: 'positive' })],
  )
}

const Notes = v.object({
  value: v.string(),
  version: v.pipe(v.string(), v.digits(), v.transform(Number)),
  has_text: v.string(),
  card: v.exactOptional(v.string()),
})

/** The result of a submitted form with a draft. */
export function receiveEdit(activity: BotActivity, { language }: Context): Received<BotEvent> {
  const fields = textsOf(invokeValue(activity).data)
  const notes = v.safeParse(Notes, fields)
  if (!notes.success) return badRequest('a form without its draft')
  const title = readTitle(fields['title'], language)
  if ('error' in title) return { kind: 'immediateReply', reply: dialogMessage(title.error) }
  const { value: blockId, version, has_text, card } = notes.output
  const text = normalizeText(fields['body'] ?? '')
  const body = has_text === 'yes' ? markdownFormat.toHtml(text) : null
  const { id, timestamp } = activity
  return {
    kind: 'event',
    deliveryId: `edit:${shortHash(`${id} ${timestamp} ${userOf(activity)} ${blockId}`)}`,
    event: {
      type: 'action',
      action: { type: 'edit', blockId, version, title: title.value, body },
    },
    ephemeralContext: ephemeralContextOf(activity, { ...(card !== undefined && { card }) }),
    reply: closeDialog,
  }
}
