/** A component of a message or a form. */
export interface Component {
  type: number
  id?: number
  content?: string
  label?: string
  description?: string
  custom_id?: string
  url?: string
  style?: number
  value?: string
  max_length?: number
  required?: boolean
  components?: Component[]
  component?: Component
  options?: { label: string; value: string }[]
  items?: { media: { url: string }; description?: string }[]
}

/** A message as an app sends it. */
export interface SentMessage {
  content?: string
  flags?: number
  nonce?: string
  enforce_nonce?: boolean
  components?: Component[]
  allowed_mentions?: { parse: string[] }
}

const usesComponents = 1 << 15

/** All components, also those in others. */
export const allComponents = (components: readonly Component[]): Component[] =>
  components.flatMap((one) => [
    one,
    ...allComponents([...(one.components ?? []), ...(one.component ? [one.component] : [])]),
  ])

/**
 * What Discord refuses in a message, by its published limits:
 * https://docs.discord.com/developers/components/reference and /resources/message#create-message.
 */
export function messageFaults({
  content = '',
  flags = 0,
  components = [],
  nonce,
  allowed_mentions,
}: SentMessage): string[] {
  const isNew = (flags & usesComponents) !== 0
  const all = allComponents(components)
  const isEmpty = content === '' && all.length === 0
  return [
    ...(isNew && content !== '' ? ['content beside components of the new kind'] : []),
    ...(!isNew && isEmpty ? ['an empty message'] : []),
    ...(content.length > 2_000 ? ['more than 2,000 characters'] : []),
    ...(!isNew && components.length > 5 ? ['more than five rows'] : []),
    ...((nonce?.length ?? 0) > 25 ? ['a nonce of more than 25 characters'] : []),
    ...((allowed_mentions?.parse.length ?? 1) > 0 ? ['it could notify everybody'] : []),
    ...idFaults(all),
    ...textFaults(all, isNew),
    ...components.flatMap(rowFaults),
  ]
}

function idFaults(all: readonly Component[]): string[] {
  const ids = all.flatMap(({ custom_id }) => custom_id ?? [])
  const marks = all.flatMap(({ id }) => id ?? [])
  return [
    ...(all.length > 40 ? ['more than 40 components'] : []),
    ...(new Set(ids).size < ids.length ? ['two components with one custom_id'] : []),
    ...(new Set(marks).size < marks.length ? ['two components with one id'] : []),
    ...(marks.some((id) => !Number.isInteger(id) || id < 0 || id >= 2 ** 31) ? ['an id'] : []),
  ]
}

function textFaults(all: readonly Component[], isNew: boolean): string[] {
  const texts = all.filter(({ type }) => type === 10)
  const total = texts.reduce((sum, one) => sum + (one.content ?? '').length, 0)
  return [
    ...(!isNew && texts.length > 0 ? ['a text display without the flag'] : []),
    ...(total > 4_000 ? ['more than 4,000 characters in texts'] : []),
    ...(texts.some((one) => !one.content) ? ['an empty text'] : []),
  ]
}

function rowFaults({ type, components = [], items = [] }: Component): string[] {
  if (type === 12) return galleryFaults(items)
  if (type !== 1) return type === 10 ? [] : [`a component ${type} at the top`]
  if (components.length === 0 || components.length > 5) return [`${components.length} buttons`]
  return components.flatMap(buttonFaults)
}

/** https://docs.discord.com/developers/components/reference#media-gallery */
const galleryFaults = (items: NonNullable<Component['items']>) => [
  ...(items.length > 0 && items.length <= 10 ? [] : [`${items.length} images`]),
  ...(items.every(({ media }) => /^https?:/.test(media.url)) ? [] : ['the address of an image']),
  ...(items.every(({ description = 'x' }) => description.length > 0 && description.length <= 1_024)
    ? []
    : ['the description of an image']),
]

function buttonFaults({ type, style = 0, label = '', custom_id, url }: Component): string[] {
  const isLink = style === 5
  return [
    ...(type === 2 ? [] : ['no button in a row']),
    ...(label.length > 0 && label.length <= 80 ? [] : [`the label "${label}"`]),
    ...(isLink === (url !== undefined) && isLink === (custom_id === undefined) ? [] : ['a link']),
    ...((custom_id ?? 'x').length > 100 ? ['a custom_id of more than 100 characters'] : []),
    ...((url ?? '').length > 512 ? ['an address of more than 512 characters'] : []),
  ]
}

const kinds = { command: 2, button: 3, form: 5 }

/** Which responses Discord takes: https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-interaction-callback-type */
export function responseFaults(
  interaction: { type?: number; hasMessage: boolean },
  response: number,
): string[] {
  const { type, hasMessage } = interaction
  const updates = type === kinds.button || (type === kinds.form && hasMessage) ? [6, 7] : []
  const forms = type === kinds.command || type === kinds.button ? [9] : []
  return [4, 5, ...updates, ...forms].includes(response)
    ? []
    : [`the response ${response} to an interaction ${type}`]
}

/** What Discord refuses in a form. */
export function modalFaults({
  custom_id = '',
  title = '',
  components = [],
}: {
  custom_id?: string
  title?: string
  components?: Component[]
}): string[] {
  return [
    ...(custom_id.length > 0 && custom_id.length <= 100 ? [] : ['the custom_id of a form']),
    ...(title.length > 0 && title.length <= 45 ? [] : [`the title "${title}"`]),
    ...(components.length > 0 && components.length <= 5 ? [] : ['the number of fields']),
    ...components.flatMap(fieldFaults),
  ]
}

function fieldFaults({ type, label = '', description = '', component, content }: Component) {
  if (type === 10) return content ? [] : ['an empty text']
  if (type !== 18 || !component) return [`a component ${type} in a form`]
  return [
    ...inputFaults(component),
    ...(label.length > 0 && label.length <= 45 ? [] : [`the label "${label}"`]),
    ...(description.length <= 100 ? [] : ['a description of more than 100 characters']),
  ]
}

function inputFaults({
  type,
  custom_id = '',
  value = '',
  max_length = 4_000,
  options = [],
}: Component) {
  return [
    ...(custom_id.length > 0 && custom_id.length <= 100 ? [] : ['the id of a field']),
    ...(max_length <= 4_000 && value.length <= max_length ? [] : ['a value that is too long']),
    ...(type === 3 ? choiceFaults(options) : []),
  ]
}

/** What Discord refuses in a list of choices: https://docs.discord.com/developers/components/reference#string-select. */
const choiceFaults = (options: readonly { label: string; value: string }[]) => [
  ...(options.length > 0 && options.length <= 25 ? [] : [`${options.length} choices`]),
  ...(new Set(options.map(({ value }) => value)).size < options.length ? ['a value twice'] : []),
  ...options.flatMap(({ label, value }) =>
    [label, value].every((text) => text.length > 0 && text.length <= 100) ? [] : ['a choice'],
  ),
]

/** The languages that Discord knows: https://docs.discord.com/developers/reference#locales. */
const locales = new Set(
  'id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th zh-CN ja zh-TW ko'.split(
    ' ',
  ),
)
const maxCommandCharacters = 8_000

/** A command, or an option of one. */
export interface CommandOption {
  name: string
  type: number
  description?: string
  name_localizations?: Record<string, string>
  description_localizations?: Record<string, string>
  required?: boolean
  options?: CommandOption[]
}

/** What Discord refuses in commands: https://docs.discord.com/developers/interactions/application-commands. */
export const commandFaults = (commands: readonly CommandOption[]): string[] =>
  commands.flatMap((command) => {
    const { name, type, description = '', options = [] } = command
    const isPlain = type !== 3
    return [
      ...(isPlain && !/^[-_\p{Ll}\p{N}]{1,32}$/u.test(name) ? [`the name "${name}"`] : []),
      ...(isPlain && !fits(description) ? [`the text of ${name}`] : []),
      ...(charactersIn(command) > maxCommandCharacters ? [`the length of ${name}`] : []),
      ...translationFaults(command),
      ...optionFaults(command),
      ...commandFaults(options.map((option) => ({ ...option, type: 1 }))),
    ]
  })

const fits = (text: string, max = 100) => text.length > 0 && text.length <= max

function translationFaults({
  name,
  name_localizations = {},
  description_localizations = {},
}: CommandOption): string[] {
  const texts = { ...name_localizations, ...description_localizations }
  return [
    ...(Object.values(texts).every((text) => fits(text)) ? [] : [`a translation of ${name}`]),
    ...(Object.keys(texts).every((locale) => locales.has(locale)) ? [] : [`a language of ${name}`]),
  ]
}

/** Options that must be given come first. */
const optionFaults = ({ name, options = [] }: CommandOption): string[] => [
  ...(options.length > 25 ? ['more than 25 options'] : []),
  ...(options.some(({ required }, at) => required && at > 0 && !options[at - 1]?.required)
    ? [`the order of the options of ${name}`]
    : []),
]

const charactersIn = ({ name, description = '', options = [] }: CommandOption): number =>
  options.reduce((sum, option) => sum + charactersIn(option), name.length + description.length)
