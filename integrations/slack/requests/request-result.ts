import type { Language } from '../../../src/contract/vocabulary.ts'
import type { FollowUp } from '../../kit/requests/received.ts'
import type { TeamApi } from '../../kit/team-api.ts'
import type { EphemeralContext, SlackEvent } from '../events/stored-event.ts'
import type { Settings } from '../settings.ts'

/** The result of a listener for a request. The reply itself is sent with Bolt's `ack`. */
export type SlackResult =
  | {
      kind: 'event'
      deliveryId: string
      event: SlackEvent
      /** Null when nobody gets a message of their own. */
      ephemeralContext: EphemeralContext | null
    }
  | { kind: 'immediateReply'; after?: SlackFollowUp }
  | { kind: 'disconnected'; reason: 'uninstalled' | 'revoked'; at: Date }
  | { kind: 'ignored'; deliveryId: string; reason: string }

/** Work for after the response. */
export type SlackFollowUp = FollowUp<SlackEvent>

/** The request for Bolt's listeners. */
export interface SlackRequest {
  settings: Settings
  now: Date
  team: TeamApi
  language: Language
  setResult(outcome: SlackResult): void
}
