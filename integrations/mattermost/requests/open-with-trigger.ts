import type { ReplyTopic } from '../../kit/chat/actions.ts'
import { type ProviderApi, withRequestDeadline } from '../../kit/requests/provider-request.ts'
import type { FollowUp, FollowUpEvent } from '../../kit/requests/received.ts'
import { shortHash } from '../../kit/text/plain-text.ts'
import type { EphemeralContext, MattermostEvent } from '../stored-event.ts'

/** Work for after the response. */
export type MattermostFollowUp = FollowUp<MattermostEvent>

/** What a person did, and where they get the reply. */
interface Cause {
  trigger: string
  address: EphemeralContext
}

// A trigger opens a dialog for three seconds, unless the server is configured differently.
const timeoutMs = 3_000

/**
 * Opens something for a person with their trigger. `work` returns the reply to a person who may not open it; when it
 * fails, a job sends the person `failure`.
 */
export const openWithTrigger =
  (
    failure: ReplyTopic,
    cause: Cause,
    work: (provider: ProviderApi) => Promise<ReplyTopic | undefined>,
  ): MattermostFollowUp =>
  async (provider) => {
    const about = await work(withRequestDeadline(provider, timeoutMs)).catch(() => failure)
    return about && replyEvent(about, cause)
  }

/** The event after which a job sends a person a reply. */
export const replyEvent = (
  about: ReplyTopic,
  { trigger, address }: Cause,
): FollowUpEvent<MattermostEvent> => ({
  deliveryId: `answer:${about}:${shortHash(trigger)}`,
  event: { type: 'action', action: { type: 'answer', about } },
  ephemeralContext: address,
})
