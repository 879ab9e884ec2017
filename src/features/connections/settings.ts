import * as v from 'valibot'
import { flag, isSecret, type SettingsSchema } from '../../contract/settings.ts'
import { slug } from '../../contract/text.ts'
import { blockTypes } from '../../contract/vocabulary.ts'
import { type FieldFault, validationFailed } from '../../lib/errors.ts'
import { faultsOf } from '../../lib/parse.ts'

/** What every connection may say about the blocks it makes, whatever its adapter. */
export const CommonSettings = v.object({
  auto_ready: flag(),
  block_type: v.optional(v.picklist(blockTypes, `must be one of ${blockTypes.join(', ')}`)),
  event_slug: v.optional(slug),
})
export type CommonSettings = v.InferOutput<typeof CommonSettings>

/** Settings as they were given, by whether they may be shown. */
export interface SortedSettings {
  plain: Record<string, unknown>
  secret: Record<string, unknown>
}

/**
 * Checks settings as a person gave them, and sorts the secret ones out. They are kept as given, and
 * parsed again whenever they are used. Throws `validation_failed` with all faults at once; it never
 * repeats a secret.
 */
export function sortSettings(
  adapter: string,
  schema: SettingsSchema,
  given: Record<string, unknown>,
): SortedSettings & { common: CommonSettings } {
  const faults = [
    ...unknownSettings(adapter, schema, given),
    ...faultsOf(CommonSettings, given),
    ...faultsOf(schema, given).map((fault) => withoutSecret(schema, fault)),
  ]
  if (faults.length > 0) throw validationFailed(faults)
  return { ...split(schema, given), common: v.parse(CommonSettings, given) }
}

/** Puts each setting on its side. */
export function split(schema: SettingsSchema, given: Record<string, unknown>): SortedSettings {
  const entries = Object.entries(given)
  return {
    plain: Object.fromEntries(entries.filter(([name]) => !isSecretName(schema, name))),
    secret: Object.fromEntries(entries.filter(([name]) => isSecretName(schema, name))),
  }
}

function unknownSettings(
  adapter: string,
  schema: SettingsSchema,
  given: Record<string, unknown>,
): FieldFault[] {
  const known = [...Object.keys(schema.entries), ...Object.keys(CommonSettings.entries)]
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const message = `${name} is not a setting of ${adapter}, which takes ${known.join(', ')}`
      return { pointer: `/${name}`, code: 'unknown_field', message }
    })
}

/** A validator's message may repeat the value. */
function withoutSecret(schema: SettingsSchema, fault: FieldFault): FieldFault {
  const name = fault.pointer.split('/')[1] ?? ''
  if (fault.code === 'required' || !isSecretName(schema, name)) return fault
  return {
    ...fault,
    message: `${name} is not valid: give one value, or two while it is being rotated`,
  }
}

function isSecretName(schema: SettingsSchema, name: string): boolean {
  const entry = schema.entries[name]
  return entry !== undefined && isSecret(entry)
}
