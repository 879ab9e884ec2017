import { maxTitleCharacters } from '../../../src/contract/text.ts'
import { type BlockType, blockTypes, type Language } from '../../../src/contract/vocabulary.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import { oneLine, truncateUtf16 } from '../../kit/text/fit-length.ts'
import { bodyCharacters } from '../limits.ts'
import { type Card, functionButton, paragraph, type Widget } from '../messages/cards.ts'
import { escapeForCard } from '../messages/text.ts'
import type { Event } from './event.ts'

/** The function of the button that saves the form. */
export const saveNews = 'save_news'

const maxEvents = 99

/** What a form is about. It is in the parameters of its button, because nothing is stored. */
export interface FormNotes {
  /** Identifies the form: it is saved once. */
  form: string
  /** The id of the message that is saved. */
  message?: string
  author?: string
  author_id?: string
  /** The image of the message. */
  file?: string
  /** The question to which the form replies. */
  prompt?: string
  /** The id of the text to the app that the form contains. */
  unread_id?: string
  /** `yes` for a message of a private conversation. */
  private?: string
}

interface Prefilled {
  blockType: BlockType
  title: string
  body: string
  notes: FormNotes
  /** The events of the team. */
  events: readonly { slug: string; name: string }[]
}

/** The form for news. */
export function newsForm(prefilled: Prefilled, language: Language): Card {
  const { blockType, title, body, notes, events } = prefilled
  const fields: Widget[] = [
    textInput('title', chatText(language, 'form_field_title'), title),
    {
      textInput: {
        name: 'body',
        label: chatText(language, 'form_field_text'),
        type: 'MULTIPLE_LINE',
        ...(body && { value: truncateUtf16(bodyCharacters, body) }),
      },
    },
    dropdown('block_type', chatText(language, 'form_field_kind'), [
      ...blockTypes.map((value) => ({
        text: chatText(language, `type_${value}`),
        value,
        selected: value === blockType,
      })),
    ]),
    ...(events.length === 0 ? [] : [eventField(events, language)]),
  ]
  const save = functionButton(chatText(language, 'form_save'), saveNews, {
    parameters: { ...notes },
    isPrimary: true,
    requiredWidgets: ['body'],
  })
  return {
    header: { title: chatText(language, 'form_title') },
    sections: [
      {
        widgets: [
          ...hints(prefilled, language).map((hint) => paragraph(escapeForCard(hint))),
          ...fields,
          { buttonList: { buttons: [save] } },
        ],
      },
    ],
  }
}

function hints({ body, notes }: Prefilled, language: Language): string[] {
  const { author } = notes
  return [
    notes.private ? chatText(language, 'form_private') : '',
    author ? chatText(language, 'form_author', { author }) : '',
    notes.file ? chatText(language, 'form_image') : '',
    body.length > bodyCharacters ? chatText(language, 'form_shortened') : '',
  ].filter((hint) => hint !== '')
}

/** A field of one line; a longer value is cut. */
export const textInput = (name: string, label: string, value: string): Widget => ({
  textInput: {
    name,
    label,
    type: 'SINGLE_LINE',
    ...(value && { value: truncateUtf16(maxTitleCharacters, value) }),
  },
})

type Items = Extract<Widget, { selectionInput: unknown }>['selectionInput']['items']

const dropdown = (name: string, label: string, items: Items): Widget => ({
  selectionInput: { name, label, type: 'DROPDOWN', items },
})

const eventField = (events: Prefilled['events'], language: Language) =>
  dropdown('news_event', chatText(language, 'form_field_event'), [
    { text: chatText(language, 'form_no_event'), value: '', selected: true },
    ...events
      .slice(0, maxEvents)
      .map(({ slug, name }) => ({ text: oneLine(name) || slug, value: slug, selected: false })),
  ])

/** The value of a field of a submitted form. */
export const fieldOf = ({ common }: Event, name: string): string =>
  common?.formInputs[name]?.stringInputs?.value[0] ?? ''
