import {
  InteractionResponseType,
  MessageComponentTypes,
  TextStyleTypes,
} from 'discord-interactions'
import { maxTitleCharacters } from '../../../src/contract/text.ts'
import type { Language } from '../../../src/contract/vocabulary.ts'
import type { ReceiveContext } from '../../kit/adapter.ts'
import { accountLinkText } from '../../kit/chat/action-replies.ts'
import { markdownFormat, textForForm } from '../../kit/chat/forms/edit-text.ts'
import { readTitle } from '../../kit/chat/forms/form-fields.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import type { Received, Reply } from '../../kit/requests/received.ts'
import type { DraftToEdit } from '../../kit/team-api.ts'
import { truncateUtf16 } from '../../kit/text/fit-length.ts'
import { normalizeText } from '../../kit/text/plain-text.ts'
import { inputCharacters } from '../limits.ts'
import { ephemeral } from '../messages/components.ts'
import { chatLocale } from '../messages/format.ts'
import type { Settings } from '../settings.ts'
import { type DiscordEvent, ephemeralContextOf } from '../stored-event.ts'
import { fieldOf, labelled } from './form.ts'
import { type ButtonClick, type FilledForm, personOf } from './interaction.ts'

/** The form with a draft for a person who may change it; others read why it does not open. */
export async function openDraft(
  click: ButtonClick,
  blockId: string,
  { team, language }: ReceiveContext<Settings>,
): Promise<Reply> {
  const { id = '', name } = personOf(click)
  const draft = await team.draftToEdit({ id, name, isActive: id !== '', email: null }, blockId)
  if (typeof draft !== 'string') return draftForm(draft, language)
  if (draft !== 'not_linked')
    return ephemeral(chatText(language, draft === 'viewer' ? 'review_viewer' : 'review_missing'))
  const link = await team.accountLink({ user: id, name: name || id })
  const why = chatText(language, 'review_not_linked')
  return ephemeral(`${why}\n${accountLinkText(link, chatLocale(language))}`)
}

const draftForm = (draft: DraftToEdit, language: Language): Reply => ({
  body: {
    type: InteractionResponseType.MODAL,
    data: {
      custom_id: `edit:${draft.id}:${draft.version}`,
      title: chatText(language, 'edit_title'),
      components: [titleField(draft, language), textField(draft, language)],
    },
  },
})

const titleField = ({ title }: DraftToEdit, language: Language) =>
  labelled(chatText(language, 'form_field_title'), {
    type: MessageComponentTypes.INPUT_TEXT,
    custom_id: 'title',
    style: TextStyleTypes.SHORT,
    max_length: maxTitleCharacters,
    value: truncateUtf16(maxTitleCharacters, title),
  })

function textField(draft: DraftToEdit, language: Language) {
  const text = textForForm(draft, markdownFormat)
  if (text === null || text.length > inputCharacters) {
    const content = chatText(language, 'edit_in_tidings')
    return { type: MessageComponentTypes.TEXT_DISPLAY, content }
  }
  return labelled(chatText(language, 'form_field_text'), {
    type: MessageComponentTypes.INPUT_TEXT,
    custom_id: 'body',
    style: TextStyleTypes.PARAGRAPH,
    max_length: inputCharacters,
    required: false,
    ...(text && { value: text }),
  })
}

/** Whether a form was opened for a draft. */
export const isDraftForm = (id: string): boolean => /^edit:\w{1,60}:\d{1,9}$/.test(id)

/** The change that a person has submitted. */
export function receiveDraft(
  form: FilledForm,
  context: ReceiveContext<Settings>,
): Received<DiscordEvent> {
  const { language } = context
  const [, blockId = '', version = ''] = form.data.custom_id.split(':')
  const title = readTitle(fieldOf(form.data, 'title')?.value, language)
  if ('error' in title) return { kind: 'immediateReply', reply: ephemeral(title.error) }
  const text = fieldOf(form.data, 'body')?.value
  const body = text === undefined ? null : markdownFormat.toHtml(normalizeText(text))
  const change = { blockId, version: Number(version), title: title.value, body }
  return {
    kind: 'event',
    deliveryId: form.id,
    event: { type: 'action', action: { type: 'edit', ...change } },
    ephemeralContext: ephemeralContextOf(form, context),
    reply: { body: { type: InteractionResponseType.DEFERRED_UPDATE_MESSAGE } },
  }
}
