import * as v from 'valibot'
import { inputOf, isAddress, type SettingsSchema } from '../../../contract/settings.ts'
import { validationFailed } from '../../../lib/errors.ts'

interface AddressChange {
  /** The public settings that are stored. */
  stored: Record<string, unknown>
  /** The secret settings that are stored. */
  secrets: Record<string, unknown>
  /** The settings to change. */
  given: Record<string, unknown>
}

/**
 * Throws `validation_failed` when an address changes to another server, unless the secrets that a person has entered are
 * given again: who may change settings, but not read secrets, could have them sent to a server of their own.
 */
export function requireSecretsAgain(
  schema: SettingsSchema,
  { stored, secrets, given }: AddressChange,
): void {
  const entries = Object.entries(schema.entries)
  const moved = entries.filter(([name, entry]) => {
    const to = given[name]
    if (!isAddress(entry) || typeof to !== 'string' || to === '') return false
    return originOf(to) !== originOf(stored[name] ?? v.getDefault(entry))
  })
  const missing = entries.filter(
    ([name, entry]) => inputOf(entry) === 'secret' && Object.hasOwn(secrets, name) && !given[name],
  )
  if (moved.length === 0 || missing.length === 0) return
  const names = missing.map(([name]) => name).join(', ')
  throw validationFailed(
    moved.map(([name]) => ({
      pointer: `/${name}`,
      code: 'invalid',
      message: `${name} leads to another server: enter ${names} again, too`,
    })),
  )
}

const originOf = (address: unknown): string | undefined => URL.parse(String(address))?.origin
