import type { types } from '@slack/bolt'
import * as v from 'valibot'
import { maxTitleCharacters } from '../../../../src/contract/text.ts'
import { type BlockType, blockTypes, type Language } from '../../../../src/contract/vocabulary.ts'
import { chatText } from '../../../kit/chat/locales/index.ts'
import { truncateUtf16 } from '../../../kit/text/fit-length.ts'
import { inputCharacters } from '../../limits.ts'

export const formCallback = 'newsletter_form'

/**
 * Names of the fields of the form. Each is the block id, the action id and the key of its error.
 */
export const field = { title: 'title', body: 'body', type: 'block_type', event: 'news_event' }

const FormNotes = v.object({
  /** The channel in which the form was opened, if it is not that of a message. */
  source: v.exactOptional(v.string()),
  channel: v.exactOptional(v.string()),
  message_ts: v.exactOptional(v.string()),
  author_name: v.exactOptional(v.string()),
  author_id: v.exactOptional(v.string()),
  response_url: v.exactOptional(v.string()),
  since: v.exactOptional(v.string()),
  /** Whether the message is in a private conversation. */
  is_private: v.exactOptional(v.boolean()),
  /** The id of the image of the message, and what it shows. */
  file: v.exactOptional(v.string()),
  file_alt: v.exactOptional(v.string()),
  /** The id of the question to which the form replies. */
  prompt: v.exactOptional(v.string()),
  /** The id of the text to the bot that the form contains. */
  unread_id: v.exactOptional(v.string()),
})

/** The metadata of a form from its opening to its submission. Slack stores it, we do not. */
export type FormNotes = v.InferOutput<typeof FormNotes>

export interface Form {
  notes: FormNotes
  blockType: BlockType
  title?: string
  body?: string
  /** Whether the text comes from a private conversation. */
  fromPrivate?: boolean
}

/** The metadata of a submitted form; empty when it is not ours. */
export function readNotes(metadata: string): FormNotes {
  try {
    const parsed = v.safeParse(FormNotes, JSON.parse(metadata))
    return parsed.success ? parsed.output : {}
  } catch {
    return {}
  }
}

/** The prefilled form for content. */
export function formView(form: Form, language: Language): types.ModalView {
  const label = (key: Parameters<typeof chatText>[1]) => chatText(language, key)
  const body = form.body ?? ''
  const blocks: types.KnownBlock[] = [
    ...notices(form, language),
    input(label('form_field_title'), field.title, {
      type: 'plain_text_input',
      action_id: field.title,
      max_length: maxTitleCharacters,
      ...(form.title && { initial_value: form.title }),
    }),
    input(label('form_field_text'), field.body, {
      type: 'plain_text_input',
      action_id: field.body,
      multiline: true,
      max_length: inputCharacters,
      ...(body && { initial_value: truncateUtf16(inputCharacters, body) }),
    }),
    input(label('form_field_kind'), field.type, {
      type: 'static_select',
      action_id: field.type,
      options: blockTypes.map((type) => typeOption(type, language)),
      initial_option: typeOption(form.blockType, language),
    }),
    {
      ...input(label('form_field_event'), field.event, {
        type: 'external_select',
        action_id: field.event,
        min_query_length: 0,
        placeholder: plain(label('form_no_event')),
      }),
      optional: true,
    },
  ]
  return {
    type: 'modal',
    callback_id: formCallback,
    private_metadata: JSON.stringify(form.notes),
    title: plain(label('form_title')),
    submit: plain(label('form_save')),
    close: plain(label('form_cancel')),
    blocks,
  }
}

function notices({ fromPrivate, notes, body = '' }: Form, language: Language): types.KnownBlock[] {
  const lines: string[] = []
  // Who wrote to the bot is the author.
  const warning = notes.unread_id === undefined ? 'form_private' : 'form_everyone'
  if (fromPrivate) lines.push(chatText(language, warning))
  if (notes.author_name)
    lines.push(chatText(language, 'form_author', { author: notes.author_name }))
  if (notes.file) lines.push(chatText(language, 'form_image'))
  if (body.length > inputCharacters) lines.push(chatText(language, 'form_shortened'))
  return lines.map((line) => ({ type: 'section', text: plain(line) }))
}

const plain = (text: string): types.PlainTextElement => ({ type: 'plain_text', text, emoji: false })

const typeOption = (value: BlockType, language: Language) => ({
  text: plain(chatText(language, `type_${value}`)),
  value,
})

const input = (
  label: string,
  block_id: string,
  element: types.InputBlock['element'],
): types.InputBlock => ({ type: 'input', block_id, label: plain(label), element })
