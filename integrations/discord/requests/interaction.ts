import { InteractionType, MessageComponentTypes } from 'discord-interactions'
import * as v from 'valibot'
import { oneLine } from '../../kit/text/fit-length.ts'
import { providerText } from '../../kit/text/plain-text.ts'

// The fields of Discord's interactions that are read. Ids of people are stored encrypted, until the delivery is
// settled. Shapes:
// https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object

const Snowflake = v.pipe(v.string(), v.regex(/^\d{1,20}$/))

/** The fields that identify the application and the server of an interaction. */
export const Envelope = v.object({
  type: v.pipe(v.number(), v.integer()),
  id: Snowflake,
  application_id: v.nullish(Snowflake),
  guild_id: v.nullish(Snowflake),
})
export type Envelope = v.InferOutput<typeof Envelope>

/** A person. Webhooks and apps are people, too. */
export const User = v.object({
  id: v.optional(Snowflake),
  username: providerText,
  global_name: v.nullish(providerText),
  bot: v.optional(v.boolean()),
})
export type User = v.InferOutput<typeof User>

const Member = v.object({ nick: v.nullish(providerText) })
const Named = v.object({ name: v.nullish(providerText) })

const from = {
  id: Snowflake,
  application_id: v.nullish(Snowflake),
  token: v.pipe(v.string(), v.regex(/^[\w.-]{1,1000}$/)),
  /** The person, in a server. */
  member: v.nullish(v.object({ nick: v.nullish(providerText), user: User })),
  /** The person, in a direct message. */
  user: v.nullish(User),
  guild_id: v.nullish(Snowflake),
  channel_id: v.nullish(Snowflake),
  /** The message with the button, or from whose button the form was opened. */
  message: v.nullish(v.object({ id: Snowflake, channel_id: v.nullish(Snowflake) })),
}

/** https://docs.discord.com/developers/resources/message#attachment-object */
const Attachment = v.object({
  url: v.pipe(v.string(), v.maxLength(2000)),
  content_type: v.nullish(v.string(), ''),
  /** What a person wrote as its alternative text. */
  description: v.nullish(providerText, ''),
})
export type Attachment = v.InferOutput<typeof Attachment>

const Message = v.object({
  id: Snowflake,
  channel_id: Snowflake,
  content: v.nullish(providerText, ''),
  author: User,
  mentions: v.nullish(v.array(v.object({ ...User.entries, id: Snowflake })), []),
  attachments: v.nullish(v.array(Attachment), []),
})
export type Message = v.InferOutput<typeof Message>

const Command = v.object({
  type: v.literal(InteractionType.APPLICATION_COMMAND),
  ...from,
  data: v.object({
    type: v.nullish(v.number(), 1),
    name: v.pipe(v.string(), v.maxLength(100)),
    // A subcommand, such as `next` of `/tidings`, is an option without a value.
    options: v.nullish(v.array(v.object({ name: v.string(), value: v.optional(v.unknown()) })), []),
    target_id: v.nullish(Snowflake),
    resolved: v.nullish(
      v.object({
        users: v.nullish(v.record(Snowflake, User), {}),
        members: v.nullish(v.record(Snowflake, Member), {}),
        roles: v.nullish(v.record(Snowflake, Named), {}),
        channels: v.nullish(v.record(Snowflake, Named), {}),
        messages: v.nullish(v.record(Snowflake, Message), {}),
        attachments: v.nullish(v.record(Snowflake, Attachment), {}),
      }),
      {},
    ),
  }),
})
export type Command = v.InferOutput<typeof Command>

const ButtonClick = v.object({
  type: v.literal(InteractionType.MESSAGE_COMPONENT),
  ...from,
  data: v.object({ custom_id: v.string() }),
})
export type ButtonClick = v.InferOutput<typeof ButtonClick>

const Field = v.object({
  custom_id: v.string(),
  value: v.nullish(providerText, ''),
  values: v.nullish(v.array(v.string()), []),
})

/** A field in a label, or in an action row, which is the older format. */
const FieldFrame = v.union([
  v.object({ type: v.literal(MessageComponentTypes.LABEL), component: Field }),
  v.pipe(
    v.object({ type: v.literal(MessageComponentTypes.ACTION_ROW), components: v.tuple([Field]) }),
    v.transform(({ components: [component] }) => ({ component })),
  ),
  // Text between the fields is sent, too.
  v.pipe(
    v.object({ type: v.number() }),
    v.transform(() => ({ component: undefined })),
  ),
])

const FilledForm = v.object({
  type: v.literal(InteractionType.MODAL_SUBMIT),
  ...from,
  data: v.object({ custom_id: v.string(), components: v.array(FieldFrame) }),
})
export type FilledForm = v.InferOutput<typeof FilledForm>

/** The interactions that are read, with their allowed fields. */
export const Interaction = v.variant('type', [Command, ButtonClick, FilledForm])
export type Interaction = v.InferOutput<typeof Interaction>

/** The person who uses the app, with the name in the server. */
export function personOf({ member, user }: Pick<Interaction, 'member' | 'user'>): {
  id: string | undefined
  name: string
} {
  const found = member?.user ?? user
  return { id: found?.id, name: nameOf(found, member?.nick) }
}

/** The display name of a person: the name in the server, if there is one. */
export const nameOf = (user: User | null | undefined, nick?: string | null): string =>
  [nick, user?.global_name, user?.username]
    .map((name) => oneLine(name ?? ''))
    .find((name) => name !== '') ?? ''
