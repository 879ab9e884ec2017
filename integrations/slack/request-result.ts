import type { FollowUp, TeamApi } from '../kit/adapter.ts'
import type { EphemeralContext, SlackEvent } from './news.ts'
import type { Settings } from './settings.ts'

/** What a listener makes of a request. The answer itself goes through Bolt's `ack`. */
export type SlackResult =
  | { kind: 'event'; deliveryId: string; event: SlackEvent; transient: EphemeralContext }
  | { kind: 'handshake'; after?: FollowUp }
  | { kind: 'ignored'; deliveryId: string; reason: string }

/** What Bolt's listeners work with for one request. */
export interface SlackRequest {
  settings: Settings
  now: Date
  team: TeamApi
  setResult(outcome: SlackResult): void
}
