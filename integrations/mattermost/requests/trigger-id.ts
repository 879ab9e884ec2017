import { createPublicKey, verify } from 'node:crypto'
import * as v from 'valibot'
import { callMattermost, type MattermostContext } from '../api.ts'

/** What the server gives to the request of a person as `trigger_id`, and signs. */
interface Trigger {
  user: string
  /** When the server made it. */
  at: Date
  signed: string
  signature: Buffer
}

const maxAgeMs = 10 * 60_000

/**
 * What a trigger says, which nobody has verified: `<id>:<user>:<milliseconds>:<signature>` in base64.
 * Source: https://github.com/mattermost/mattermost/blob/master/server/public/model/integration_action.go
 */
export function readTrigger(trigger: string): Trigger | undefined {
  const text = Buffer.from(trigger, 'base64').toString('latin1')
  const [id = '', user = '', time = '', signature = '', ...more] = text.split(':')
  if (!/^[a-z0-9]{26}$/.test(user) || !/^\d{1,15}$/.test(time) || more.length > 0) return undefined
  const signed = `${id}:${user}:${time}:`
  return { user, at: new Date(Number(time)), signed, signature: Buffer.from(signature, 'base64') }
}

const Config = v.object({ AsymmetricSigningPublicKey: v.string() })

/**
 * Whether the server of the connection has made a trigger for a person, around a time. The server publishes its key in
 * its settings for clients. Throws a `ProviderError`.
 */
export async function isTriggerOf(
  context: MattermostContext,
  { trigger, user, around }: { trigger: string; user: string; around: Date },
): Promise<boolean> {
  const read = readTrigger(trigger)
  if (read?.user !== user) return false
  if (Math.abs(read.at.getTime() - around.getTime()) > maxAgeMs) return false
  const call = { path: 'config/client', query: { format: 'old' } }
  const { AsymmetricSigningPublicKey: published } = await callMattermost(context, call, Config)
  try {
    const key = createPublicKey({
      key: Buffer.from(published, 'base64'),
      format: 'der',
      type: 'spki',
    })
    return verify('sha256', Buffer.from(read.signed), key, read.signature)
  } catch {
    return false
  }
}
