import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Received } from './received.ts'

/** The result for a request without a valid signature. It does not say what was wrong. */
export const unauthorized = {
  kind: 'rejected',
  status: 401,
  reason: 'signature missing or wrong',
} as const

/** The result for a signed request that cannot be read. `reason` repeats nothing of the request. */
export const badRequest = (reason: string) => ({ kind: 'rejected', status: 400, reason }) as const

/**
 * The body as text, or `undefined` when it is not valid UTF-8: replacing invalid bytes would check
 * a signature over text that was never sent. A byte order mark is kept.
 */
export function strictUtf8(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return undefined
  }
}

/** The JSON of a body. Code hosts also send it as the field `payload` of a form. */
export function jsonOf(text: string, contentType: string | null): string {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(contentType ?? '')
  return isForm ? (new URLSearchParams(text).get('payload') ?? '') : text
}

/** The JSON object in a text, or `undefined` when it contains none. */
export function readObject(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * The provider's id of a delivery: the first of these headers with a usable value, and otherwise
 * the digest of the body, which is the same when a delivery is sent again.
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

/** The result for an event that never makes an item: known and ignored, or unknown. */
export const ignoredOrUnknown = (name: string, known: ReadonlySet<string>, deliveryId: string) =>
  known.has(name)
    ? ({ kind: 'ignored', deliveryId, reason: `${name} creates no block` } as const)
    : ({ kind: 'unknown', eventName: name } as const)

/** A name from outside, shortened and without characters that could forge a log line. */
export const nameForLogs = (name: string): string => name.slice(0, 80).replace(/[^\w/.:-]/g, '?')

interface EventDefinition<Schema extends v.GenericSchema> {
  /** The allowed fields. */
  schema: Schema
  payload: object
  /** The name of the event in the log and in the list of deliveries. */
  name: string
  /** The name for the filter `events`, if it is longer, such as `release.published`. */
  fullName?: (event: v.InferOutput<Schema>) => string
  deliveryId: string
  /** The name of the provider that documents the payload. */
  provider: string
  /** Why the event never makes an item; `undefined` when it can. */
  ignoreReason?: (event: v.InferOutput<Schema>) => string | undefined
  /**
   * Why a setting of the connection excludes the event; `undefined` when none does. Such an event is
   * stored, so that it can be replayed after the setting was changed; `compose` checks it again.
   */
  settingReason?: (event: v.InferOutput<Schema>) => string | undefined
}

/**
 * Picks the allowed fields of an event that can become an item, and returns the result of
 * `receive`.
 */
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
