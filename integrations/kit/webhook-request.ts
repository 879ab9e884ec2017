import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Received } from './adapter.ts'

/** The answer to what nobody's secret has signed: it says nothing about what was wrong. */
export const unauthorized = {
  kind: 'rejected',
  status: 401,
  reason: 'signature missing or wrong',
} as const

/** The answer to a request that is the provider's and makes no sense; `reason` repeats nothing of it. */
export const badRequest = (reason: string) => ({ kind: 'rejected', status: 400, reason }) as const

/** The JSON of a body, which code hosts also send as the field `payload` of a form. */
export function jsonOf(text: string, contentType: string | null): string {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(contentType ?? '')
  return isForm ? (new URLSearchParams(text).get('payload') ?? '') : text
}

/** The JSON object a provider sent, or `undefined` when it is none. */
export function readObject(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * The provider's id of a delivery: the first of these headers that holds one, else the digest of the
 * body, which a delivery that is sent again does not change.
 */
export function deliveryIdOf(
  headers: Headers,
  names: readonly string[],
  body: string | Uint8Array,
): string {
  const given = names.map((name) => headers.get(name) ?? '')
  const id = given.find((value) => /^[\x21-\x7e]{1,128}$/.test(value))
  return id ?? `sha256:${createHash('sha256').update(body).digest('hex')}`
}

/** What an event is that never makes news: one of the provider's known others, or unheard of. */
export const ignoredOrUnknown = (name: string, known: ReadonlySet<string>, deliveryId: string) =>
  known.has(name)
    ? ({ kind: 'ignored', deliveryId, reason: `${name}: not news` } as const)
    : ({ kind: 'unknown', eventName: name } as const)

/** A name that came from outside, short and without characters that could forge a log line. */
export const nameForLogs = (name: string): string => name.slice(0, 80).replace(/[^\w/.:-]/g, '?')

interface EventDefinition<Schema extends v.GenericSchema> {
  /** The allowed fields. */
  schema: Schema
  payload: object
  /** The event as the log and the list of deliveries call it. */
  name: string
  /** Its name for the filter `events`, where that says more, such as `release.published`. */
  fullName?: (event: v.InferOutput<Schema>) => string
  deliveryId: string
  /** Who documents the payload. */
  provider: string
  /** Why the event never makes an item; `undefined` when it can. */
  ignoreReason?: (event: v.InferOutput<Schema>) => string | undefined
  /**
   * Why a setting of the connection excludes the event; `undefined` when none does. Such an event is
   * stored, so that it can be replayed after the setting was changed; `compose` checks it again.
   */
  settingReason?: (event: v.InferOutput<Schema>) => string | undefined
}

/** Picks the allowed fields of an event that may be news, and says what it is. */
export function receiveEvent<Schema extends v.GenericSchema>({
  schema,
  payload,
  name,
  fullName = () => name,
  deliveryId,
  provider,
  ignoreReason,
  settingReason,
}: EventDefinition<Schema>): Received<v.InferOutput<Schema>> {
  const { success, output: event, issues } = v.safeParse(schema, payload)
  if (!success) {
    const field = v.getDotPath(issues[0]) ?? 'the payload'
    return badRequest(`${name}: ${field} is not as ${provider} documents it`)
  }
  const fixed = ignoreReason?.(event)
  if (fixed !== undefined) return { kind: 'ignored', deliveryId, reason: `${name}: ${fixed}` }
  const excluded = settingReason?.(event)
  if (excluded !== undefined)
    return { kind: 'ignored', deliveryId, reason: `${name}: ${excluded}`, event }
  return { kind: 'event', deliveryId, eventName: fullName(event), event }
}
