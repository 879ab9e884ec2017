import * as v from 'valibot'
import { maxTitleCharacters, slug } from '../../../src/contract/text.ts'
import { type BlockType, blockTypes } from '../../../src/contract/vocabulary.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import type { Received } from '../../kit/requests/received.ts'
import { oneLine, truncateUtf16 } from '../../kit/text/fit-length.ts'
import { normalizeText, shortHash } from '../../kit/text/plain-text.ts'
import { inputCharacters, textareaCharacters } from '../limits.ts'
import { canReply, noReply } from '../messages/reply.ts'
import { readable } from '../messages/text.ts'
import type { EphemeralContext, MattermostEvent } from '../stored-event.ts'
import type { RequestContext } from './context.ts'
import { type Dialog, type DialogState, openDialog } from './dialog.ts'
import { type MattermostFollowUp, openWithTrigger } from './open-with-trigger.ts'
import type { Submission } from './request.ts'

interface Opening {
  trigger: string
  address: EphemeralContext
  blockType: BlockType
  /** The id of the question to which the person replies. */
  prompt?: string
}

/** Opens the form for news. A person whom Mattermost shows none gets a message. */
export const openForm = (
  { trigger, address, blockType, prompt }: Opening,
  context: RequestContext,
): MattermostFollowUp =>
  openWithTrigger('form_not_opened', { trigger, address }, async (provider) => {
    const { now } = context
    const { user = '', name = '', response_url } = address
    const state = {
      kind: 'news' as const,
      user,
      name,
      at: now.getTime(),
      id: shortHash(trigger),
      ...(prompt !== undefined && { prompt }),
      ...(response_url && { response_url }),
    }
    const dialog = await newsDialog(blockType, context)
    await openDialog({ ...context, provider }, { trigger, dialog, state })
    return undefined
  })

async function newsDialog(blockType: BlockType, context: RequestContext): Promise<Dialog> {
  const { language, team } = context
  const text = (key: Parameters<typeof chatText>[1]) => chatText(language, key)
  const events = await team.events('')
  return {
    title: text('form_title'),
    submit_label: text('form_save'),
    elements: [
      {
        display_name: text('form_field_title'),
        name: 'title',
        type: 'text',
        optional: true,
        max_length: inputCharacters,
      },
      {
        display_name: text('form_field_text'),
        name: 'body',
        type: 'textarea',
        max_length: textareaCharacters,
        help_text: text('form_everyone'),
      },
      {
        display_name: text('form_field_kind'),
        name: 'block_type',
        type: 'select',
        default: blockType,
        options: blockTypes.map((value) => ({ text: text(`type_${value}`), value })),
      },
      ...(events.length === 0
        ? []
        : [
            {
              display_name: text('form_field_event'),
              name: 'event',
              type: 'select' as const,
              optional: true,
              options: events.map(({ slug: value, name }) => ({
                text: truncateUtf16(inputCharacters, oneLine(name)) || value,
                value,
              })),
            },
          ]),
    ],
  }
}

/** A field of a submitted form as text. */
export const fieldOf = ({ submission }: Submission, name: string): string => {
  const value = submission?.[name]
  return typeof value === 'string' ? value : ''
}

/** The result of a submitted form with news. */
export function receiveForm(
  form: Submission,
  { id, user, name, prompt, response_url }: Extract<DialogState, { kind: 'news' }>,
  { now, language, settings }: RequestContext,
): Received<MattermostEvent> {
  const body = readable(normalizeText(fieldOf(form, 'body')))
  if (oneLine(body) === '') {
    const errors = { body: chatText(language, 'nothing_written') }
    return { kind: 'immediateReply', reply: { body: { errors } } }
  }
  const title = oneLine(readable(fieldOf(form, 'title')), maxTitleCharacters)
  const event = v.safeParse(slug, fieldOf(form, 'event'))
  const address: EphemeralContext = {
    since: now.toISOString(),
    user,
    name,
    thanked: [],
    isShown: false,
    ...(prompt !== undefined && { prompt }),
    ...(response_url !== undefined && { response_url }),
  }
  return {
    kind: 'event',
    deliveryId: `form:${id}`,
    event: {
      type: 'news',
      external_id: `mattermost:form:${id}`,
      block_type: v.parse(
        v.fallback(v.picklist(blockTypes), 'general'),
        fieldOf(form, 'block_type'),
      ),
      ...(title && { title }),
      ...(event.success && { event_slug: event.output }),
      body,
      author: name,
    },
    ...(canReply(address, settings) && { ephemeralContext: address }),
    reply: noReply,
  }
}
