import * as v from 'valibot'
import type { Language } from '../../../src/contract/vocabulary.ts'
import type { ReceiveContext } from '../../kit/adapter.ts'
import { accountLinkText } from '../../kit/chat/action-replies.ts'
import { textForForm } from '../../kit/chat/forms/edit-text.ts'
import { readTitle } from '../../kit/chat/forms/form-fields.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import type { Received } from '../../kit/requests/received.ts'
import { badRequest } from '../../kit/requests/webhook-request.ts'
import type { DraftToEdit } from '../../kit/team-api.ts'
import { normalizeText, shortHash } from '../../kit/text/plain-text.ts'
import { bodyCharacters } from '../limits.ts'
import { type Card, functionButton, paragraph } from '../messages/cards.ts'
import { chatLocale, markupFormat } from '../messages/format.ts'
import { escapeForCard, linkForCard } from '../messages/text.ts'
import type { Settings } from '../settings.ts'
import { ephemeralContextOf, type GoogleChatEvent, personOf } from '../stored-event.ts'
import type { Event } from './event.ts'
import { fieldOf, textInput } from './form.ts'
import { closeDialog, openDialog, refuseDialog } from './reply.ts'

type Context = ReceiveContext<Settings>

/** The function of the button that saves a draft. */
export const saveDraft = 'save_draft'

/** Opens a draft for a person who may review it; others read why it does not open. */
export async function openDraft(
  event: Event,
  blockId: string,
  { settings, team, language }: Context,
): Promise<Received<GoogleChatEvent>> {
  const person = personOf(event, settings)
  if (!person) return badRequest('a button that nobody has used')
  const draft = await team.draftToEdit(person, blockId)
  if (typeof draft !== 'string')
    return { kind: 'immediateReply', reply: openDialog(draftForm(draft, event, language)) }
  const link = { user: person.id, name: person.name }
  const text =
    draft === 'not_linked'
      ? `${chatText(language, 'review_not_linked')}\n${linkAsText(await team.accountLink(link), language)}`
      : chatText(language, draft === 'viewer' ? 'review_viewer' : 'review_missing')
  return { kind: 'immediateReply', reply: openDialog(noticeCard(text, language)) }
}

/** The link as HTML, as the texts of a dialog are. */
function linkAsText(url: string, language: Language): string {
  const { format } = chatLocale(language)
  const link = (address: string, label: string) => linkForCard(address, escapeForCard(label))
  return accountLinkText(url, { language, format: { ...format, link } })
}

const noticeCard = (html: string, language: Language): Card => ({
  header: { title: chatText(language, 'edit_title') },
  sections: [{ widgets: [paragraph(html.replaceAll('\n', '<br>'))] }],
})

function draftForm(draft: DraftToEdit, { message }: Event, language: Language): Card {
  const { id, version, title, url } = draft
  const text = textForForm(draft, markupFormat(language))
  const isEditable = text !== null && text.length <= bodyCharacters
  const link = linkForCard(url, escapeForCard(chatText(language, 'edit_open')))
  const hint = isEditable ? link : `${escapeForCard(chatText(language, 'edit_in_tidings'))} ${link}`
  const save = functionButton(chatText(language, 'form_save'), saveDraft, {
    parameters: {
      value: id,
      version: String(version),
      has_text: isEditable ? 'yes' : 'no',
      // The event of a dialog does not contain the message with the button.
      ...(message?.name && { message: message.name }),
    },
    isPrimary: true,
    requiredWidgets: ['title'],
  })
  return {
    header: { title: chatText(language, 'edit_title') },
    sections: [
      {
        widgets: [
          textInput('title', chatText(language, 'form_field_title'), title),
          ...(isEditable
            ? [
                {
                  textInput: {
                    name: 'body',
                    label: chatText(language, 'form_field_text'),
                    type: 'MULTIPLE_LINE' as const,
                    value: text,
                  },
                },
              ]
            : []),
          paragraph(hint),
          { buttonList: { buttons: [save] } },
        ],
      },
    ],
  }
}

const Notes = v.object({
  value: v.string(),
  version: v.pipe(v.string(), v.digits(), v.transform(Number)),
  has_text: v.string(),
  message: v.exactOptional(v.pipe(v.string(), v.regex(/^spaces\/[\w-]+\/messages\/[\w.-]+$/))),
})

/** The result of a submitted form with a draft. */
export function receiveEdit(
  event: Event,
  { language, settings }: Context,
): Received<GoogleChatEvent> {
  const notes = v.safeParse(Notes, event.common?.parameters)
  if (!notes.success) return badRequest('a form without its draft')
  const title = readTitle(fieldOf(event, 'title'), language)
  if ('error' in title) return { kind: 'immediateReply', reply: refuseDialog(title.error) }
  const { value: blockId, version, has_text, message } = notes.output
  const text = normalizeText(fieldOf(event, 'body'))
  const body = has_text === 'yes' ? markupFormat(language).toHtml(text) : null
  return {
    kind: 'event',
    deliveryId: `edit:${shortHash(`${event.eventTime} ${event.user?.name} ${blockId}`)}`,
    event: {
      type: 'action',
      action: { type: 'edit', blockId, version, title: title.value, body },
    },
    ephemeralContext: ephemeralContextOf(event, settings, { ...(message && { message }) }),
    reply: closeDialog(),
  }
}
