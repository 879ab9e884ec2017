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

function rowFaults({ type, components = [] }: Component): string[] {
  if (type !== 1) return type === 10 ? [] : [`a component ${type} at the top`]
  if (components.length === 0 || components.length > 5) return [`${components.length} buttons`]
  return components.flatMap(buttonFaults)
}

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
  const { value = '', max_length = 4_000 } = component
  return [
    ...(label.length > 0 && label.length <= 45 ? [] : [`the label "${label}"`]),
    ...(description.length <= 100 ? [] : ['a description of more than 100 characters']),
    ...(max_length <= 4_000 && value.length <= max_length ? [] : ['a value that is too long']),
  ]
}

/** A command, or an option of one. */
export interface CommandOption {
  name: string
  type: number
  description?: string
  description_localizations?: Record<string, string>
  options?: CommandOption[]
}

/** What Discord refuses in commands: https://docs.discord.com/developers/interactions/application-commands. */
export const commandFaults = (commands: readonly CommandOption[]): string[] =>
  commands.flatMap(
    ({ name, type, description = '', description_localizations = {}, options = [] }) => [
      ...(type === 3 || /^[-_\p{Ll}\p{N}]{1,32}$/u.test(name) ? [] : [`the name "${name}"`]),
      ...(type === 3 || (description.length > 0 && description.length <= 100)
        ? []
        : [`the text of ${name}`]),
      ...(Object.values(description_localizations).some((text) => text.length > 100 || text === '')
        ? [`a translation of ${name}`]
        : []),
      ...(options.length > 25 ? ['more than 25 options'] : []),
      ...commandFaults(options.map((option) => ({ ...option, type: 1 }))),
    ],
  )
