import * as v from 'valibot'

/** The schema of a connection's settings: one flat object, secrets marked by {@link secret}. */
export type SettingsSchema = v.GenericSchema<unknown, object> & {
  readonly entries: Readonly<Record<string, v.GenericSchema>>
}

/** How a person fills a setting in. */
const settingInputs = ['text', 'long', 'list', 'flag', 'secret', 'own-secret'] as const
export type SettingInput = (typeof settingInputs)[number]

/**
 * A secret setting: one value, or two while it is being rotated, given as a list. Encrypted at rest
 * and never shown again. One of our `own` may be made up by Tidings, since the provider takes any.
 */
export const secret = ({ own = false }: { own?: boolean } = {}) =>
  v.pipe(
    v.union(
      [
        v.pipe(
          v.string(),
          v.nonEmpty('must not be empty'),
          v.transform((value) => [value]),
        ),
        v.pipe(
          v.array(v.pipe(v.string(), v.nonEmpty('must not be empty'))),
          v.minLength(1),
          v.maxLength(2, 'takes at most two values'),
        ),
      ],
      'must be a value, or a list of two while it is being rotated',
    ),
    v.metadata({ input: own ? 'own-secret' : 'secret' }),
  )

/** True for a setting made by {@link secret}, also when it is optional. */
export const isSecret = (entry: v.GenericSchema): boolean =>
  ['secret', 'own-secret'].includes(inputOf(entry))

/** How a setting is filled in, also when it is optional. */
export function inputOf(entry: v.GenericSchema): SettingInput {
  const { input } = v.getMetadata(entry)
  if (v.is(v.picklist(settingInputs), input)) return input
  return wraps(entry) ? inputOf(entry.wrapped) : 'text'
}

/** Whether a setting is a web address, also when it is optional. */
export const isAddress = (entry: v.GenericSchema): boolean =>
  v.getMetadata(entry)['format'] === 'uri' || (wraps(entry) && isAddress(entry.wrapped))

/** The values of settings that have only a few. A form says what they mean. */
const settingChoices = ['summary', 'full', 'immediately', 'hourly', 'daily'] as const
export type SettingChoice = (typeof settingChoices)[number]

const either = (choices: readonly string[]) =>
  `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`

/** A setting that has one of these values, and the first one when it is left out. */
export const choice = <const Choices extends readonly [SettingChoice, ...SettingChoice[]]>(
  choices: Choices,
) =>
  v.optional(
    v.pipe(v.picklist(choices, `must be ${either(choices)}`), v.metadata({ choices })),
    choices[0],
  )

/** The values of a setting made by {@link choice}; none for other settings. */
export function choicesOf(entry: v.GenericSchema): readonly SettingChoice[] {
  const { choices } = v.getMetadata(entry)
  if (v.is(v.array(v.picklist(settingChoices)), choices)) return choices
  return wraps(entry) ? choicesOf(entry.wrapped) : []
}

/** The label in the schema of a setting; empty when it has none. */
function formLabelOf(entry: v.GenericSchema): string {
  const { label } = v.getMetadata(entry)
  if (typeof label === 'string') return label
  return wraps(entry) ? formLabelOf(entry.wrapped) : ''
}

/** True for a setting without which there is no connection. */
export const isRequired = (entry: v.GenericSchema): boolean => entry.type !== 'optional'

const wraps = (entry: v.GenericSchema): entry is v.GenericSchema & { wrapped: v.GenericSchema } =>
  'wrapped' in entry

const acronyms: Record<string, string> = { api: 'API', url: 'URL', id: 'ID', ids: 'IDs' }

/** What a form calls a setting in English: its own label, or “API base URL” for `api_base_url`. */
export function settingLabel(name: string, entry?: v.GenericSchema): string {
  const own = entry ? formLabelOf(entry) : ''
  if (own) return own
  const words = name.split('_').map((word) => acronyms[word] ?? word)
  const [first = '', ...others] = words
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join(' ')
}

/**
 * A yes-or-no setting, as the command line writes it (`allow_private=true`). `label` is what a form
 * says beside the checkbox, where the name of the setting is not clear enough.
 */
export const flag = ({ label = '' }: { label?: string } = {}) =>
  v.optional(
    v.pipe(
      v.union(
        [
          v.boolean(),
          v.pipe(
            v.picklist(['true', 'false']),
            v.transform((value) => value === 'true'),
          ),
        ],
        'must be true or false',
      ),
      v.metadata({ input: 'flag', label }),
    ),
    false,
  )

/** A list setting, as the command line writes it (`repositories=acme/web,acme/api`). */
export const list = () =>
  v.optional(
    v.pipe(
      v.union([
        v.array(v.string()),
        v.pipe(
          v.string(),
          v.transform((value) =>
            value
              .split(',')
              .map((item) => item.trim())
              .filter((item) => item !== ''),
          ),
        ),
      ]),
      v.metadata({ input: 'list' }),
    ),
    [],
  )

/** Whether a text is on a list, in any case; `*` in an entry stands for any characters. */
export const isListed = (entries: readonly string[], text: string): boolean =>
  entries.some((entry) => matches(entry.toLowerCase(), text.toLowerCase()))

/** Written without a regular expression, since many stars would make one slow. */
function matches(pattern: string, text: string): boolean {
  const [start = '', ...others] = pattern.split('*')
  const end = others.pop()
  if (end === undefined) return text === pattern
  if (!text.startsWith(start) || !text.endsWith(end)) return false
  let at = start.length
  for (const part of others) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at + end.length <= text.length
}
