import type { RawRequest } from '../kit/requests/received.ts'
import { isHmac } from '../kit/requests/signature.ts'

const toleranceMs = 5 * 60_000

/**
 * Whether BambooHR signed this request within five minutes of `now`. The signature covers the body
 * followed by the timestamp.
 * Source: https://documentation.bamboohr.com/docs/webhooks#security
 */
export function isFromBambooHr(
  { headers, body }: RawRequest,
  keys: readonly string[],
  now: Date,
): boolean {
  const timestamp = headers.get('x-bamboohr-timestamp') ?? ''
  const sentAt = momentOf(timestamp)
  const signed = Buffer.concat([body, Buffer.from(timestamp)])
  return (
    isHmac(headers.get('x-bamboohr-signature') ?? '', signed, keys) &&
    Math.abs(now.getTime() - sentAt) <= toleranceMs
  )
}

/** Milliseconds since 1970, from Unix seconds or ISO 8601; NaN for other formats. */
function momentOf(timestamp: string): number {
  if (/^\d{10}$/.test(timestamp)) return Number(timestamp) * 1000
  const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/
  return iso.test(timestamp) ? Date.parse(timestamp.replace(/(\d\d)(\d\d)$/, '$1:$2')) : Number.NaN
}
