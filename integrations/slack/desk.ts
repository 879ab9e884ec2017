import type { FollowUp, TeamApi } from '../adapter.ts'
import type { SlackEvent, Transient } from './news.ts'
import type { Settings } from './settings.ts'

/** What a listener makes of a request. The answer itself goes through Bolt's `ack`. */
export type Outcome =
  | { kind: 'event'; deliveryId: string; event: SlackEvent; transient: Transient }
  | { kind: 'handshake'; after?: FollowUp }
  | { kind: 'ignored'; deliveryId: string; reason: string }

/** What Bolt's listeners work with for one request. */
export interface Desk {
  settings: Settings
  now: Date
  team: TeamApi
  decide(outcome: Outcome): void
}
