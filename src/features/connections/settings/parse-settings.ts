import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { inputOf, isListed, isSecret, type SettingsSchema } from '../../../contract/settings.ts'
import { type FieldError, validationFailed } from '../../../lib/errors.ts'
import { fieldErrorsOf } from '../../../lib/parse.ts'
import { CommonSettings, isEvent } from './common-settings.ts'

/** The properties of an adapter that its connections depend on. */
export interface ConnectionAdapter {
  slug: string
  name: string
  settings: SettingsSchema
  /** Names of its events, for the setting `events`. */
  events?: readonly string[]
  /** Names of the secrets with which a connection that was disconnected works again; all of them when left out. */
  tokenSettings?: readonly string[]
  /** The secret setting that asks for a socket. */
  socket?: { setting: string }
  /** Set when it is read on a schedule and has no webhook. */
  polling?: object
  /** True when the setting `group` applies. */
  groups?: true
}

/** Settings as they were entered, separated into public and secret ones. */
export interface ParsedSettings {
  plain: Record<string, unknown>
  secret: Record<string, unknown>
}

/**
 * Checks settings that a person entered, and separates the secret ones. They are stored as entered
 * and parsed again at each use. Throws `validation_failed` with all errors; the message contains no
 * secret. Events that are `stored` are accepted although an earlier version of the adapter had them.
 */
export function parseSettings(
  adapter: ConnectionAdapter,
  given: Record<string, unknown>,
  stored: Record<string, unknown> = {},
): ParsedSettings & { common: CommonSettings } {
  const schema = adapter.settings
  const common = v.safeParse(CommonSettings, given)
  const errors = [
    ...unknownSettings(adapter.slug, schema, given),
    ...fieldErrorsOf(CommonSettings, given),
    ...(common.success ? inapplicableSettings(adapter, common.output, storedEvents(stored)) : []),
    ...settingErrors(schema, given),
  ]
  if (errors.length > 0 || !common.success) throw validationFailed(errors)
  return { ...splitSettings(schema, given), common: common.output }
}

/** The events of stored settings. */
function storedEvents({ events }: Record<string, unknown>): readonly string[] {
  const parsed = v.safeParse(CommonSettings.entries.events, events)
  return parsed.success ? parsed.output : []
}

/** Common settings that do not apply to this adapter, or only with another setting. */
function inapplicableSettings(
  { name, events: known = [], groups }: ConnectionAdapter,
  { events, group, auto_ready }: CommonSettings,
  stored: readonly string[],
): FieldError[] {
  const errorOf = (setting: string, message: string) => [
    { pointer: `/${setting}`, code: 'invalid', message: `${setting} ${message}` },
  ]
  if (group && !groups) {
    return errorOf(
      'group',
      `does not apply to ${name}: its items belong to no repository or project`,
    )
  }
  if (group && auto_ready) {
    return errorOf(
      'group',
      'cannot be combined with auto_ready, because it adds items to drafts: choose one of the two',
    )
  }
  if (events.length > 0 && known.length === 0) {
    return errorOf('events', `does not apply to ${name}: people choose what they save`)
  }
  const unknownPatterns = events.filter(
    (pattern) =>
      !stored.includes(pattern) &&
      !known.some((event) => isEvent([pattern], event) || isListed([event], pattern)),
  )
  const choice = known.join(', ')
  return unknownPatterns.flatMap((pattern) =>
    errorOf(
      'events',
      `contains "${pattern}", which is not an event of ${name}: choose from ${choice}`,
    ),
  )
}

/** Separates public and secret settings. */
export function splitSettings(
  schema: SettingsSchema,
  given: Record<string, unknown>,
): ParsedSettings {
  const entries = Object.entries(given)
  return {
    plain: Object.fromEntries(entries.filter(([name]) => !isSecretName(schema, name))),
    secret: Object.fromEntries(entries.filter(([name]) => isSecretName(schema, name))),
  }
}

/**
 * Generates the secrets that were not entered and that the provider does not choose, by the name of
 * the setting: 64 hexadecimal digits each.
 */
export function generateSecrets(
  { settings }: Pick<ConnectionAdapter, 'settings'>,
  given: Record<string, unknown>,
): Record<string, string> {
  const missing = Object.entries(settings.entries).filter(
    ([name, schema]) => inputOf(schema) === 'own-secret' && !Object.hasOwn(given, name),
  )
  return Object.fromEntries(missing.map(([name]) => [name, randomBytes(32).toString('hex')]))
}

function unknownSettings(
  adapter: string,
  schema: SettingsSchema,
  given: Record<string, unknown>,
): FieldError[] {
  const known = [...Object.keys(schema.entries), ...Object.keys(CommonSettings.entries)]
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const message = `${name} is not a setting of ${adapter}, which takes ${known.join(', ')}`
      return { pointer: `/${name}`, code: 'unknown_field', message }
    })
}

/** The errors of settings. A validator's message may repeat a secret, or a part of it, and is then replaced. */
function settingErrors(schema: SettingsSchema, given: Record<string, unknown>): FieldError[] {
  // What is also said about other values of the same length repeats nothing of the value.
  const masked = Object.entries(given).map(([name, value]) => [
    name,
    isSecretName(schema, name) ? mask(value) : value,
  ])
  const harmless = fieldErrorsOf(schema, Object.fromEntries(masked))
  return fieldErrorsOf(schema, given).map((error) => {
    const name = error.pointer.split('/')[1] ?? ''
    if (!isSecretName(schema, name) || harmless.some((one) => Bun.deepEquals(one, error)))
      return error
    const message = `${name} is not valid: give one value, or two while it is being rotated`
    return { ...error, message }
  })
}

/** A value with other characters, which no provider uses. */
const mask = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(mask) : '\uFFFD'.repeat(String(value ?? '').length)

/** Whether a setting contains a token, without which the provider accepts nothing. */
export const isToken = ({ settings, tokenSettings }: ConnectionAdapter, name: string): boolean =>
  tokenSettings?.includes(name) ?? isSecretName(settings, name)

/** Whether settings ask for a socket. */
export const usesSocket = (
  { socket }: Pick<ConnectionAdapter, 'socket'>,
  settings: Record<string, unknown>,
): boolean => socket !== undefined && Object.hasOwn(settings, socket.setting)

function isSecretName(schema: SettingsSchema, name: string): boolean {
  const entry = schema.entries[name]
  return entry !== undefined && isSecret(entry)
}
