import { maxTitleCharacters } from '../../../../src/contract/text.ts'
import { type BlockType, blockTypes, type Language } from '../../../../src/contract/vocabulary.ts'
import { emptyForm } from '../../../kit/chat/buttons.ts'
import { chatText } from '../../../kit/chat/locales/index.ts'
import { escapeForChat } from '../../../kit/chat/messages/escape-for-chat.ts'
import { oneLine, truncateUtf16 } from '../../../kit/text/fit-length.ts'
import { bodyCharacters } from '../limits.ts'
import {
  type AdaptiveCard,
  adaptiveCard,
  type CardElement,
  submitAction,
  textBlock,
} from '../messages/cards.ts'

/** The name of the button that saves the form. */
export const saveNews = 'save_news'

const maxEvents = 99

interface Prefilled {
  blockType: BlockType
  title: string
  /** Markdown. */
  body: string
  /** What the form is about. It is in the data of its button, because nothing is stored. */
  notes: Record<string, string>
  /** The events of the team. */
  events: readonly { slug: string; name: string }[]
}

/** The form for news. */
export function newsForm(prefilled: Prefilled, language: Language): AdaptiveCard {
  const { blockType, title, body, notes, events } = prefilled
  const fields: CardElement[] = [
    titleInput(title, language),
    bodyInput(truncateUtf16(bodyCharacters, body), language),
    {
      type: 'Input.ChoiceSet',
      id: 'block_type',
      label: chatText(language, 'form_field_kind'),
      value: blockType,
      choices: blockTypes.map((value) => ({ title: chatText(language, `type_${value}`), value })),
    },
    ...(events.length === 0 ? [] : [eventField(events, language)]),
  ]
  const save = submitAction(
    chatText(language, 'form_save'),
    { button: saveNews, ...notes },
    { style: 'positive' },
  )
  const texts = hints(prefilled, language).map((hint) => textBlock(escapeForChat(hint)))
  return adaptiveCard([...texts, ...fields], [save])
}

function hints({ body, notes }: Prefilled, language: Language): string[] {
  const author = notes['author']
  return [
    notes['private'] ? chatText(language, 'form_private') : chatText(language, 'form_everyone'),
    author ? chatText(language, 'form_author', { author }) : '',
    notes['file'] || notes['image_of'] ? chatText(language, 'form_image') : '',
    body.length > bodyCharacters ? chatText(language, 'form_shortened') : '',
  ].filter((hint) => hint !== '')
}

/** The field for the title. */
export const titleInput = (title: string, language: Language): CardElement => ({
  type: 'Input.Text',
  id: 'title',
  label: chatText(language, 'form_field_title'),
  maxLength: maxTitleCharacters,
  ...(title && { value: truncateUtf16(maxTitleCharacters, title) }),
})

/** The field for the text, which must be filled in. */
export const bodyInput = (body: string, language: Language): CardElement => ({
  type: 'Input.Text',
  id: 'body',
  label: chatText(language, 'form_field_text'),
  isMultiline: true,
  isRequired: true,
  errorMessage: chatText(language, 'nothing_written'),
  ...(body && { value: body }),
})

const eventField = (events: Prefilled['events'], language: Language): CardElement => ({
  type: 'Input.ChoiceSet',
  id: 'news_event',
  label: chatText(language, 'form_field_event'),
  value: emptyForm,
  choices: [
    { title: chatText(language, 'form_no_event'), value: emptyForm },
    ...events
      .slice(0, maxEvents)
      .map(({ slug, name }) => ({ title: oneLine(name) || slug, value: slug })),
  ],
})
