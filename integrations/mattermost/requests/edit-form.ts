import { maxTitleCharacters } from '../../../src/contract/text.ts'
import type { Language } from '../../../src/contract/vocabulary.ts'
import { markdownFormat, textForForm } from '../../kit/chat/forms/edit-text.ts'
import { readTitle } from '../../kit/chat/forms/form-fields.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import type { Received } from '../../kit/requests/received.ts'
import type { DraftToEdit } from '../../kit/team-api.ts'
import { truncateUtf16 } from '../../kit/text/fit-length.ts'
import { normalizeText, shortHash } from '../../kit/text/plain-text.ts'
import { inputCharacters, textareaCharacters } from '../limits.ts'
import { noReply } from '../messages/reply.ts'
import { getPerson } from '../person.ts'
import type { EphemeralContext, MattermostEvent } from '../stored-event.ts'
import type { RequestContext } from './context.ts'
import { type Dialog, type DialogState, openDialog } from './dialog.ts'
import { fieldOf } from './form.ts'
import { type MattermostFollowUp, openWithTrigger } from './open-with-trigger.ts'
import type { Submission } from './request.ts'

/** Opens a draft for a person who may change it; others get a message that says why it does not open. */
export const openDraft = (
  { trigger, address, blockId }: { trigger: string; address: EphemeralContext; blockId: string },
  context: RequestContext,
): MattermostFollowUp =>
  openWithTrigger('not_opened', { trigger, address }, async (provider) => {
    const { now, language, team, settings } = context
    const { user = '', name = '' } = address
    const person = await getPerson({ settings, provider }, user)
    const draft = person.isActive ? await team.draftToEdit(person, blockId) : 'missing'
    if (typeof draft === 'string') return `draft_${draft}`
    const dialog = draftDialog(draft, language)
    const state = {
      kind: 'edit' as const,
      user,
      name,
      at: now.getTime(),
      id: shortHash(trigger),
      block: draft.id,
      version: draft.version,
      hasText: dialog.elements.length > 1,
    }
    await openDialog({ ...context, provider }, { trigger, dialog, state })
    return undefined
  })

function draftDialog(draft: DraftToEdit, language: Language): Dialog {
  const title = truncateUtf16(maxTitleCharacters, draft.title)
  const text = textForForm(draft, markdownFormat)
  // The server counts bytes.
  const isEditable = text !== null && Buffer.byteLength(text) <= textareaCharacters
  const isShort = Buffer.byteLength(title) <= inputCharacters
  return {
    title: chatText(language, 'edit_title'),
    submit_label: chatText(language, 'form_save'),
    introduction_text: isEditable
      ? `[${chatText(language, 'edit_open')}](${draft.url})`
      : `${chatText(language, 'edit_in_tidings')} [${chatText(language, 'edit_open')}](${draft.url})`,
    elements: [
      {
        display_name: chatText(language, 'form_field_title'),
        name: 'title',
        type: isShort ? 'text' : 'textarea',
        default: title,
        max_length: isShort ? inputCharacters : maxTitleCharacters,
      },
      ...(isEditable
        ? [
            {
              display_name: chatText(language, 'form_field_text'),
              name: 'body',
              type: 'textarea' as const,
              default: text,
              optional: true,
              max_length: textareaCharacters,
            },
          ]
        : []),
    ],
  }
}

/** The change that a person has submitted. */
export function receiveDraft(
  form: Submission,
  { id, user, name, block, version, hasText }: Extract<DialogState, { kind: 'edit' }>,
  { now, language }: RequestContext,
): Received<MattermostEvent> {
  const title = readTitle(fieldOf(form, 'title'), language)
  if ('error' in title)
    return { kind: 'immediateReply', reply: { body: { errors: { title: title.error } } } }
  const body = hasText ? markdownFormat.toHtml(normalizeText(fieldOf(form, 'body'))) : null
  const change = { blockId: block, version, title: title.value, body }
  return {
    kind: 'event',
    deliveryId: `form:${id}`,
    event: { type: 'action', action: { type: 'edit', ...change } },
    ephemeralContext: { since: now.toISOString(), user, name, isShown: true },
    reply: noReply,
  }
}
