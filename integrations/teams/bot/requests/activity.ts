import * as v from 'valibot'
import { oneLine } from '../../../kit/text/fit-length.ts'
import { providerText } from '../../../kit/text/plain-text.ts'

// The fields of activities that a bot reads; all others are dropped before anything is stored or logged. Shapes:
// https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference and
// https://learn.microsoft.com/microsoftteams/platform/messaging-extensions/how-to/action-commands/create-task-module

const Id = v.pipe(v.string(), v.nonEmpty(), v.maxLength(500), v.regex(/^[\w:;=@.,~+/-]+$/))

const Attachment = v.object({
  contentType: v.nullish(v.string(), ''),
  contentUrl: v.nullish(v.string(), ''),
  content: v.nullish(v.unknown()),
})
type Attachment = v.InferOutput<typeof Attachment>

/** The message on which a command of the menu was used. */
const MessagePayload = v.object({
  id: Id,
  linkToMessage: v.nullish(v.string()),
  from: v.nullish(
    v.object({
      user: v.nullish(v.object({ id: v.nullish(Id), displayName: v.nullish(providerText, '') })),
    }),
  ),
  body: v.nullish(
    v.object({ contentType: v.nullish(v.string()), content: v.nullish(providerText, '') }),
  ),
  attachments: v.nullish(v.array(Attachment), []),
})
export type MessagePayload = v.InferOutput<typeof MessagePayload>

const Value = v.object({
  data: v.nullish(v.record(v.string(), v.unknown())),
  messagePayload: v.nullish(MessagePayload),
})

/** Every activity. */
export const BotActivity = v.object({
  type: v.pipe(v.string(), v.maxLength(100)),
  name: v.nullish(v.string(), ''),
  id: v.nullish(Id),
  timestamp: v.nullish(v.string(), ''),
  serviceUrl: v.string(),
  channelId: v.string(),
  from: v.object({
    id: Id,
    name: v.nullish(providerText, ''),
    aadObjectId: v.nullish(v.pipe(v.string(), v.uuid())),
  }),
  conversation: v.object({
    id: Id,
    conversationType: v.nullish(v.string(), ''),
    tenantId: v.nullish(v.string()),
  }),
  channelData: v.nullish(
    v.object({
      tenant: v.nullish(v.object({ id: v.nullish(v.string()) })),
      team: v.fallback(v.nullish(v.object({ id: v.nullish(Id) })), null),
      channel: v.fallback(v.nullish(v.object({ type: v.nullish(v.string()) })), null),
    }),
  ),
  text: v.nullish(providerText, ''),
  attachments: v.fallback(v.nullish(v.array(Attachment), []), []),
  entities: v.fallback(
    v.nullish(
      v.array(
        v.object({
          type: v.nullish(v.string()),
          mentioned: v.nullish(v.object({ id: v.nullish(v.string()) })),
        }),
      ),
      [],
    ),
    [],
  ),
  recipient: v.nullish(v.object({ id: v.nullish(v.string()) })),
  replyToId: v.nullish(Id),
  value: v.nullish(v.record(v.string(), v.unknown())),
})
export type BotActivity = v.InferOutput<typeof BotActivity>

/** The tenant from which an activity comes. */
export const tenantOf = ({ channelData, conversation }: BotActivity): string | undefined =>
  channelData?.tenant?.id ?? conversation.tenantId ?? undefined

/** The id of the person, which is the same in all conversations. */
export const userOf = ({ from }: BotActivity): string => from.aadObjectId ?? from.id

/** The name of the person on one line; empty when Teams has left it out. */
export const nameOf = ({ from }: BotActivity): string => oneLine(from.name)

/** Whether only the person and the bot are in the conversation. */
export const isPersonal = ({ conversation }: BotActivity): boolean =>
  conversation.conversationType === 'personal'

/** The value of an invocation; empty when it is not as documented. */
export function invokeValue({ value }: BotActivity): v.InferOutput<typeof Value> {
  const parsed = v.safeParse(Value, value)
  return parsed.success ? parsed.output : { data: null, messagePayload: null }
}

/** The texts in the data of a button or a form. */
export const textsOf = (data: object | null | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(data ?? {}).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, v.parse(providerText, value)]] : [],
    ),
  )

/** Whether a message mentions the bot. One that may read the messages of channels gets all of them. */
export const isToBot = ({ entities, recipient }: BotActivity): boolean =>
  !recipient?.id ||
  entities.some(({ type, mentioned }) => type === 'mention' && mentioned?.id === recipient.id)

const maxMentioned = 20

/** The ids of the people who are mentioned, without the bot. */
export const mentionedIn = ({ entities, recipient }: BotActivity): string[] =>
  entities
    .flatMap(({ type, mentioned }) => (type === 'mention' ? (mentioned?.id ?? []) : []))
    .filter((id) => id !== recipient?.id && !id.startsWith('28:'))
    .slice(0, maxMentioned)

/** The HTML of a message, which has its formatting; otherwise its text. */
export function htmlOf({ text, attachments }: BotActivity): string {
  const html = attachments.find(({ contentType }) => contentType === 'text/html')?.content
  return typeof html === 'string' && html.trim() !== ''
    ? mentionsAsTags(html)
    : text.replace(/<(?!\/?at\b)/g, '&lt;')
}

/** Mentions as `<at>name</at>`, as in the text of an activity. */
export const mentionsAsTags = (html: string): string =>
  html.replace(
    /<span\b(?=[^<>]*schema\.skype\.com\/Mention)[^<>]*>([^<>]*)<\/span>/gi,
    '<at>$1</at>',
  )

const FileInfo = v.object({ downloadUrl: v.string(), fileType: v.nullish(v.string(), '') })
const imageTypes = ['png', 'jpg', 'jpeg', 'gif', 'webp']

/** The address of the first image of a message; undefined without one. */
export function imageOf(attachments: readonly Attachment[]): string | undefined {
  for (const { contentType, contentUrl, content } of attachments) {
    if (contentType.startsWith('image/') && contentUrl !== '') return contentUrl
    if (contentType !== 'application/vnd.microsoft.teams.file.download.info') continue
    const info = v.safeParse(FileInfo, content)
    if (info.success && imageTypes.includes(info.output.fileType.toLowerCase()))
      return info.output.downloadUrl
  }
  return undefined
}
