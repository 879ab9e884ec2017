import * as v from 'valibot'
import { oneLine } from '../../kit/text/fit-length.ts'
import { providerText } from '../../kit/text/plain-text.ts'

// The fields of Google's events that are read; all others are dropped before anything is stored or logged. Shapes:
// https://developers.google.com/workspace/chat/api/reference/rest/v1/Event

const resource = (pattern: RegExp) => v.pipe(v.string(), v.maxLength(500), v.regex(pattern))
const UserName = resource(/^users\/[\w-]+$/)
const SpaceName = resource(/^spaces\/[\w-]+$/)
const MessageName = resource(/^spaces\/[\w-]+\/messages\/[\w.-]+$/)
const ThreadName = resource(/^spaces\/[\w-]+\/threads\/[\w.-]+$/)

const User = v.object({
  name: UserName,
  displayName: v.nullish(providerText, ''),
  email: v.nullish(v.pipe(v.string(), v.maxLength(320))),
  type: v.nullish(v.string(), 'HUMAN'),
})

/** A person in a message, of whom an event for tests contains the name only. */
const Sender = v.object({ ...User.entries, name: v.nullish(UserName) })

const Space = v.object({
  name: v.nullish(SpaceName),
  spaceType: v.nullish(v.string()),
  type: v.nullish(v.string()),
  singleUserBotDm: v.nullish(v.boolean(), false),
  accessSettings: v.nullish(v.object({ accessState: v.nullish(v.string()) })),
})
export type Space = v.InferOutput<typeof Space>

const Annotation = v.object({
  type: v.nullish(v.string(), ''),
  startIndex: v.nullish(v.number(), 0),
  userMention: v.nullish(v.object({ user: v.nullish(Sender) })),
})

const Attachment = v.object({
  contentType: v.nullish(v.string(), ''),
  attachmentDataRef: v.nullish(v.object({ resourceName: v.nullish(v.string()) })),
})

export const Message = v.object({
  name: v.nullish(MessageName),
  text: v.nullish(providerText, ''),
  formattedText: v.nullish(providerText),
  sender: v.nullish(Sender),
  annotations: v.nullish(v.array(Annotation), []),
  attachment: v.nullish(v.array(Attachment), []),
  thread: v.nullish(v.object({ name: v.nullish(ThreadName) })),
})
export type Message = v.InferOutput<typeof Message>

const Inputs = v.record(
  v.string(),
  v.object({
    stringInputs: v.nullish(v.object({ value: v.nullish(v.array(providerText), []) })),
  }),
)

/** Every event. */
export const Event = v.object({
  type: v.pipe(v.string(), v.maxLength(100)),
  eventTime: v.nullish(v.string(), ''),
  user: v.nullish(User),
  space: v.nullish(Space),
  message: v.nullish(Message),
  appCommandMetadata: v.nullish(v.object({ appCommandType: v.nullish(v.string(), '') })),
  /** Whether a second event about the message follows that has added the app. */
  interactionAdd: v.nullish(v.boolean(), false),
  isDialogEvent: v.nullish(v.boolean(), false),
  dialogEventType: v.nullish(v.string(), ''),
  common: v.nullish(
    v.object({
      invokedFunction: v.nullish(v.string(), ''),
      parameters: v.nullish(v.record(v.string(), providerText), {}),
      formInputs: v.nullish(Inputs, {}),
    }),
  ),
})
export type Event = v.InferOutput<typeof Event>

/** The types of events that create no block. */
export const otherEvents: ReadonlySet<string> = new Set(['REMOVED_FROM_SPACE', 'WIDGET_UPDATED'])

/** The display name of a person. */
export const nameOf = (user: { displayName: string } | null | undefined): string =>
  oneLine(user?.displayName ?? '')

/** Whether only one person and the app are in a conversation. */
export const isDirect = (space: Space | null | undefined): boolean =>
  space?.singleUserBotDm === true || space?.spaceType === 'DIRECT_MESSAGE' || space?.type === 'DM'

/** Whether a message of a space is not meant for everybody: a conversation of some people, or a space for members. */
export const isPrivate = (space: Space | null | undefined): boolean =>
  isDirect(space) ||
  space?.spaceType === 'GROUP_CHAT' ||
  space?.accessSettings?.accessState === 'PRIVATE'
