import type { App, BlockButtonAction, types, ViewSubmitAction } from '@slack/bolt'
import * as v from 'valibot'
import { maxTitleCharacters } from '../../../../src/contract/text.ts'
import type { Language } from '../../../../src/contract/vocabulary.ts'
import { buttonNames } from '../../../kit/chat/buttons.ts'
import { textForForm } from '../../../kit/chat/forms/edit-text.ts'
import { readTitle } from '../../../kit/chat/forms/form-fields.ts'
import { chatText } from '../../../kit/chat/locales/index.ts'
import type { DraftToEdit } from '../../../kit/team-api.ts'
import { truncateUtf16 } from '../../../kit/text/fit-length.ts'
import { normalizeText } from '../../../kit/text/plain-text.ts'
import { slackClient } from '../../client.ts'
import { inputCharacters } from '../../limits.ts'
import { plain } from '../../messages/message-blocks.ts'
import { replyEvent } from '../../messages/reply.ts'
import { getPerson } from '../../person.ts'
import type { SlackFollowUp, SlackRequest } from '../request-result.ts'
import { mrkdwnFormat } from './format.ts'

// A trigger can open a form for three seconds. Source: https://docs.slack.dev/surfaces/modals
const timeoutMs = 2_000
const formCallback = 'draft_form'

const field = { title: 'title', body: 'body' }

/** What the form is about. Slack stores it from its opening to its submission. */
const DraftNotes = v.object({
  block: v.string(),
  version: v.number(),
  message: v.exactOptional(v.object({ channel: v.string(), ts: v.string() })),
  /** The channel in which the form was opened. */
  source: v.exactOptional(v.string()),
})
type DraftNotes = v.InferOutput<typeof DraftNotes>

/** Listens for the button that opens a draft, and for the submitted form. */
export function listenForEdits(app: App, request: SlackRequest): void {
  app.action<BlockButtonAction>(
    { type: 'block_actions', action_id: buttonNames.edit },
    async ({ action, body, ack }) => {
      const { user, trigger_id, response_url, container } = body
      const { channel_id: channel, message_ts: ts } = container
      const opening = {
        blockId: action.value ?? '',
        trigger_id,
        address: { user: user.id, response_url, since: request.now.toISOString() },
        ...(channel && ts && { message: { channel, ts } }),
      }
      request.setResult({ kind: 'immediateReply', after: openDraft(request, opening) })
      await ack()
    },
  )
  app.view<ViewSubmitAction>(formCallback, async ({ body: { user, view }, ack }) => {
    const input = (name: string) => view.state.values[name]?.[name]?.value
    const title = readTitle(input(field.title), request.language)
    const notes = v.safeParse(v.pipe(v.string(), v.parseJson(), DraftNotes), view.private_metadata)
    if ('error' in title || !notes.success) {
      request.setResult({ kind: 'immediateReply' })
      const error = 'error' in title ? title.error : chatText(request.language, 'action_failed')
      return ack({ response_action: 'errors', errors: { [field.title]: error } })
    }
    const text = input(field.body)
    const { block: blockId, version, message } = notes.output
    const body = text == null ? null : mrkdwnFormat(request.language).toHtml(normalizeText(text))
    request.setResult({
      kind: 'event',
      deliveryId: `view:${view.id}:${view.hash}`,
      event: {
        type: 'action',
        action: { type: 'edit', blockId, version, title: title.value, body },
      },
      ephemeralContext: {
        user: user.id,
        people: [],
        since: request.now.toISOString(),
        ...(message && { message }),
      },
    })
    // Only an empty answer closes the form.
    return ack()
  })
}

interface Opening {
  blockId: string
  trigger_id: string
  /** The person who is informed when the form does not open. */
  address: { user: string; response_url?: string; since: string }
  message?: DraftNotes['message']
}

/** Opens a draft for a person who may review it; a message to others says why it does not open. */
function openDraft(request: SlackRequest, { trigger_id, ...opening }: Opening): SlackFollowUp {
  const { settings, team, language } = request
  const { address, blockId, message } = opening
  return async (provider) => {
    try {
      const person = await getPerson({ settings, provider }, address.user)
      const draft = await team.draftToEdit(person, blockId)
      if (typeof draft === 'string') return replyEvent(`draft_${draft}`, trigger_id, address)
      const client = slackClient(settings, provider, timeoutMs)
      await client.views.open({ trigger_id, view: draftView(draft, { message, language }) })
      return undefined
    } catch {
      return replyEvent('not_opened', trigger_id, address)
    }
  }
}

interface DraftViewContext {
  message: DraftNotes['message'] | undefined
  language: Language
}

function draftView(draft: DraftToEdit, { message, language }: DraftViewContext): types.ModalView {
  const { id, version, title, url } = draft
  const notes: DraftNotes = {
    block: id,
    version,
    ...(message && { message, source: message.channel }),
  }
  const text = textForForm(draft, mrkdwnFormat(language))
  const isEditable = text !== null && text.length <= inputCharacters
  const openLink = `<${url}|${chatText(language, 'edit_open')}>`
  const hint = isEditable ? openLink : `${chatText(language, 'edit_in_tidings')} ${openLink}`
  const blocks: types.KnownBlock[] = [
    textInput(field.title, chatText(language, 'form_field_title'), {
      max_length: maxTitleCharacters,
      initial_value: truncateUtf16(maxTitleCharacters, title),
    }),
    ...(isEditable
      ? [
          textInput(field.body, chatText(language, 'form_field_text'), {
            multiline: true,
            max_length: inputCharacters,
            initial_value: text,
          }),
        ]
      : []),
    { type: 'context', elements: [{ type: 'mrkdwn', text: hint }] },
  ]
  return {
    type: 'modal',
    callback_id: formCallback,
    private_metadata: JSON.stringify(notes),
    title: plain(chatText(language, 'edit_title')),
    submit: plain(chatText(language, 'form_save')),
    close: plain(chatText(language, 'form_cancel')),
    blocks,
  }
}

const textInput = (
  name: string,
  label: string,
  element: Omit<types.PlainTextInput, 'type' | 'action_id'>,
): types.InputBlock => ({
  type: 'input',
  block_id: name,
  label: plain(label),
  element: { type: 'plain_text_input', action_id: name, ...element },
})
