import {
  InteractionResponseType,
  MessageComponentTypes,
  TextStyleTypes,
} from 'discord-interactions'
import * as v from 'valibot'
import { maxTitleCharacters } from '../../../src/contract/text.ts'
import { type BlockType, blockTypes, type Language } from '../../../src/contract/vocabulary.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import { maxAltCharacters } from '../../kit/chat/submissions.ts'
import type { Reply } from '../../kit/requests/received.ts'
import { oneLine, truncateUtf16 } from '../../kit/text/fit-length.ts'
import { firstLineTitle } from '../../kit/text/plain-text.ts'
import type { Image } from '../files.ts'
import { descriptionCharacters, idCharacters, inputCharacters } from '../limits.ts'
import type { FilledForm } from './interaction.ts'

/** A message of another person, who stays its author. It is saved once. */
export interface Quoted {
  channel: string
  message: string
  /** The name of its author. */
  author: string
  /** The id of its author; null for an app. */
  authorId: string | null
}

interface Prefilled {
  blockType: BlockType
  body: string
  quoted?: Quoted
  /** The id of the question to which the person replies. */
  prompt?: string
  image?: Image | undefined
}

/** The prefilled form for content. Its id contains the quoted message, because we store nothing. */
export const openForm = (prefilled: Prefilled, language: Language): Reply => ({
  body: {
    type: InteractionResponseType.MODAL,
    data: {
      custom_id: idOf(prefilled),
      title: chatText(language, 'form_title'),
      components: [
        ...textFields(prefilled, language),
        kindField(prefilled.blockType, language),
        ...(prefilled.image ? imageFields(prefilled.image, language) : []),
      ],
    },
  },
})

function textFields({ body, quoted }: Prefilled, language: Language) {
  const title = firstLineTitle(body)
  const { author } = quoted ?? {}
  const description = [
    ...(author ? [chatText(language, 'form_written_by', { author })] : []),
    chatText(language, 'form_everyone'),
  ].join(' ')
  return [
    labelled(chatText(language, 'form_field_title'), {
      type: MessageComponentTypes.INPUT_TEXT,
      custom_id: 'title',
      style: TextStyleTypes.SHORT,
      max_length: maxTitleCharacters,
      ...(title && { value: title }),
    }),
    labelled(
      chatText(language, 'form_field_text'),
      {
        type: MessageComponentTypes.INPUT_TEXT,
        custom_id: 'body',
        style: TextStyleTypes.PARAGRAPH,
        max_length: inputCharacters,
        ...(body && { value: truncateUtf16(inputCharacters, body) }),
      },
      truncateUtf16(descriptionCharacters, description),
    ),
  ]
}

const kindField = (blockType: BlockType, language: Language) =>
  labelled(chatText(language, 'form_field_kind'), {
    type: MessageComponentTypes.STRING_SELECT,
    custom_id: 'block_type',
    options: blockTypes.map((value) => ({
      label: chatText(language, `type_${value}`),
      value,
      ...(value === blockType && { default: true }),
    })),
  })

/** The address of an image is in a field, because a form has no hidden fields. */
const imageFields = ({ file, file_alt }: Image, language: Language) => [
  labelled(
    chatText(language, 'form_field_image'),
    {
      type: MessageComponentTypes.INPUT_TEXT,
      custom_id: 'image',
      style: TextStyleTypes.SHORT,
      required: false,
      value: file,
    },
    chatText(language, 'form_image_hint'),
  ),
  labelled(
    chatText(language, 'form_field_alt'),
    {
      type: MessageComponentTypes.INPUT_TEXT,
      custom_id: 'image_alt',
      style: TextStyleTypes.SHORT,
      required: false,
      max_length: maxAltCharacters,
      ...(file_alt && { value: truncateUtf16(maxAltCharacters, file_alt) }),
    },
    chatText(language, 'form_alt_hint'),
  ),
]

/** A field of a form with its label. */
export const labelled = (label: string, component: object, description?: string) => ({
  type: MessageComponentTypes.LABEL,
  label,
  ...(description && { description }),
  component,
})

function idOf({ quoted, prompt }: Prefilled): string {
  if (prompt !== undefined) return `prompt:${prompt}`
  if (!quoted) return 'news'
  const { channel, message, author, authorId } = quoted
  return truncateUtf16(idCharacters, `quote:${channel}:${message}:${authorId ?? ''}:${author}`)
}

/** A field of a submitted form. */
export const fieldOf = ({ components }: FilledForm['data'], name: string) =>
  components.find(({ component }) => component?.custom_id === name)?.component

/** The fields of a submitted form, and the message that it quotes. */
export function readForm(data: FilledForm['data']) {
  const { custom_id } = data
  const field = (name: string) => fieldOf(data, name)
  const file = field('image')?.value
  const [, channel, message, authorId, author = ''] =
    /^quote:(\d+):(\d+):(?:(\d*):)?(.*)$/s.exec(custom_id) ?? []
  const [, prompt] = /^prompt:(\w{1,60})$/.exec(custom_id) ?? []
  return {
    title: field('title')?.value ?? '',
    body: field('body')?.value ?? '',
    image: file ? { file, file_alt: oneLine(field('image_alt')?.value ?? '') } : undefined,
    blockType: v.parse(
      v.fallback(v.picklist(blockTypes), 'general'),
      field('block_type')?.values[0],
    ),
    quoted:
      channel && message ? { channel, message, author, authorId: authorId || null } : undefined,
    prompt,
  }
}

/** Whether a form was opened by this adapter. */
export const isOurForm = (id: string): boolean => /^(?:news$|quote:|prompt:)/.test(id)
