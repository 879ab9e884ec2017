import { verifyKey } from 'discord-interactions'
import type { RawRequest } from '../kit/requests/received.ts'

const toleranceSeconds = 300

/**
 * Whether Discord signed these bytes within five minutes of `now`. Discord sends forged requests on
 * purpose and disables an endpoint that accepts them. The limit of five minutes is ours, because
 * Discord documents none.
 * Source:
 * https://docs.discord.com/developers/interactions/overview#validating-security-request-headers
 */
export async function isFromDiscord(
  { headers, body }: RawRequest,
  publicKey: string,
  now: Date,
): Promise<boolean> {
  const signature = headers.get('x-signature-ed25519') ?? ''
  const timestamp = headers.get('x-signature-timestamp') ?? ''
  // The library accepts the valid part of a value that is not a hexadecimal number.
  if (!/^[0-9a-f]{128}$/.test(signature) || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) return false
  return await verifyKey(body, signature, timestamp, publicKey)
}
