import {
  InteractionResponseType,
  MessageComponentTypes,
  TextStyleTypes,
} from 'discord-interactions'
import * as v from 'valibot'
import { maxTitleCharacters } from '../../src/contract/text.ts'
import { type BlockType, blockTypes } from '../../src/contract/vocabulary.ts'
import { chatText } from '../kit/chat/locales/index.ts'
import type { Reply } from '../kit/received.ts'
import { firstLineTitle, truncateUtf16 } from '../kit/text.ts'
import type { FilledForm } from './interaction.ts'

// Limits of Discord's forms: https://docs.discord.com/developers/components/reference
const inputCharacters = 4000
const descriptionCharacters = 100
const idCharacters = 100

/** A message of another person, who stays its author. It is saved once. */
export interface Quoted {
  channel: string
  message: string
  author: string
}

/** The prefilled form for content. Its id contains the quoted message, because we store nothing. */
export function openForm(
  blockType: BlockType,
  { body, quoted, image }: { body: string; quoted?: Quoted; image?: string | undefined },
): Reply {
  const everyone = 'Everyone who gets the newsletter can read this.'
  const description = quoted?.author ? `Written by ${quoted.author}. ${everyone}` : everyone
  const title = firstLineTitle(body)
  return {
    body: {
      type: InteractionResponseType.MODAL,
      data: {
        custom_id: quoted ? idOf(quoted) : 'news',
        title: 'Save to newsletter',
        components: [
          labelled('Title', {
            type: MessageComponentTypes.INPUT_TEXT,
            custom_id: 'title',
            style: TextStyleTypes.SHORT,
            max_length: maxTitleCharacters,
            ...(title && { value: title }),
          }),
          labelled(
            'Text',
            {
              type: MessageComponentTypes.INPUT_TEXT,
              custom_id: 'body',
              style: TextStyleTypes.PARAGRAPH,
              max_length: inputCharacters,
              ...(body && { value: truncateUtf16(inputCharacters, body) }),
            },
            truncateUtf16(descriptionCharacters, description),
          ),
          labelled('Kind', {
            type: MessageComponentTypes.STRING_SELECT,
            custom_id: 'block_type',
            options: blockTypes.map((value) => ({
              label: chatText('en', `type_${value}`),
              value,
              ...(value === blockType && { default: true }),
            })),
          }),
          ...(image ? [imageField(image)] : []),
        ],
      },
    },
  }
}

/** The field with the address of an image, because a form has no hidden fields. */
const imageField = (address: string) =>
  labelled(
    'Image',
    {
      type: MessageComponentTypes.INPUT_TEXT,
      custom_id: 'image',
      style: TextStyleTypes.SHORT,
      required: false,
      value: address,
    },
    'Delete the address to leave the image out.',
  )

const labelled = (label: string, component: object, description?: string) => ({
  type: MessageComponentTypes.LABEL,
  label,
  ...(description && { description }),
  component,
})

const idOf = ({ channel, message, author }: Quoted) =>
  truncateUtf16(idCharacters, `quote:${channel}:${message}:${author}`)

/** The fields of a submitted form, and the message that it quotes. */
export function readForm({ custom_id, components }: FilledForm['data']) {
  const field = (name: string) =>
    components.find(({ component }) => component?.custom_id === name)?.component
  const [, channel, message, author = ''] = /^quote:(\d+):(\d+):(.*)$/s.exec(custom_id) ?? []
  return {
    title: field('title')?.value ?? '',
    body: field('body')?.value ?? '',
    image: field('image')?.value,
    blockType: v.parse(
      v.fallback(v.picklist(blockTypes), 'general'),
      field('block_type')?.values[0],
    ),
    quoted: channel && message ? { channel, message, author } : undefined,
  }
}

/** Whether a form was opened by this adapter. */
export const isOurForm = (id: string): boolean => id === 'news' || id.startsWith('quote:')
