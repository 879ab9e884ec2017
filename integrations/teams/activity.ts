import * as v from 'valibot'
import { providerText } from '../kit/text/plain-text.ts'

// Everything Teams sends that is not named here is dropped before anything is stored or logged.

const Id = v.pipe(v.string(), v.nonEmpty(), v.maxLength(1000))

const common = {
  id: Id,
  timestamp: v.string(),
  /** Read to distinguish messages, and not stored. */
  conversation: v.object({ id: Id }),
}

/**
 * What every activity has.
 * https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference#activity-object
 */
export const Activity = v.object({ ...common, type: Id })

/** Only the display name of a person is read. */
export const Message = v.object({
  ...common,
  text: v.nullish(providerText, ''),
  from: v.object({ name: v.nullish(providerText, '') }),
  attachments: v.fallback(v.nullish(v.array(v.object({ contentType: v.string() })), []), []),
})
export type Message = v.InferOutput<typeof Message>

/** The types of activities other than messages, so that one which is none of them is noticed. */
export const activityTypes: ReadonlySet<string> = new Set([
  'contactRelationUpdate',
  'conversationUpdate',
  'endOfConversation',
  'event',
  'installationUpdate',
  'invoke',
  'messageDelete',
  'messageReaction',
  'messageUpdate',
  'typing',
])
