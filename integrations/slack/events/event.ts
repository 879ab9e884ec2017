import * as v from 'valibot'
import { nameForLogs, readObject } from '../../kit/requests/webhook-request.ts'
import { messageParts } from '../../kit/slack/message.ts'

// The fields of Slack's requests that are read. `token`, the legacy verification token, is never
// read.
// Shapes: https://docs.slack.dev/reference/interaction-payloads

const id = v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
const words = v.nullish(v.string(), '')
/** Identifies a message within its channel. */
const timestamp = v.pipe(v.string(), v.regex(/^\d{1,20}(?:\.\d{1,20})?$/))

const from = {
  api_app_id: v.optional(id),
  team: v.nullish(v.object({ id, enterprise_id: v.nullish(id) })),
  enterprise: v.nullish(v.object({ id })),
  user: v.object({
    id,
    name: v.optional(v.string()),
    username: v.optional(v.string()),
    team_id: v.optional(id),
  }),
}

const SlashCommand = v.object({
  type: v.literal('command'),
  command: v.pipe(id, v.startsWith('/')),
  text: words,
  team_id: v.optional(id),
  enterprise_id: v.optional(id),
  api_app_id: v.optional(id),
  user_id: id,
  user_name: words,
  channel_id: v.optional(id),
  trigger_id: id,
  response_url: words,
})

const MessageShortcut = v.object({
  type: v.literal('message_action'),
  ...from,
  callback_id: id,
  trigger_id: id,
  response_url: words,
  message_ts: v.nullish(timestamp),
  channel: v.object({ id, name: words }),
  message: v.object({
    ...messageParts,
    ts: v.nullish(timestamp),
    user: v.optional(id),
    username: v.optional(v.string()),
    bot_profile: v.optional(v.object({ name: v.optional(v.string()) })),
  }),
})

const GlobalShortcut = v.object({
  type: v.literal('shortcut'),
  ...from,
  callback_id: id,
  trigger_id: id,
})

const FieldState = v.object({
  value: v.nullish(v.string()),
  selected_option: v.nullish(v.object({ value: v.string() })),
})

const ViewSubmission = v.object({
  type: v.literal('view_submission'),
  ...from,
  view: v.object({
    id,
    hash: words,
    callback_id: words,
    private_metadata: words,
    app_installed_team_id: v.nullish(id),
    /** Without values when the form is empty. */
    state: v.optional(
      v.object({
        values: v.optional(v.record(v.string(), v.record(v.string(), FieldState)), {}),
      }),
      { values: {} },
    ),
  }),
})

const BlockActions = v.object({
  type: v.literal('block_actions'),
  ...from,
  trigger_id: v.optional(id),
  response_url: words,
  container: v.optional(
    v.object({ channel_id: v.optional(id), message_ts: v.optional(timestamp) }),
    {},
  ),
  actions: v.pipe(
    v.array(v.object({ action_id: id, value: words, action_ts: words })),
    v.minLength(1),
  ),
})

const BlockSuggestion = v.object({
  type: v.literal('block_suggestion'),
  ...from,
  action_id: id,
  value: words,
})

const EventCallback = v.object({
  type: v.literal('event_callback'),
  event_id: id,
  /** In seconds. */
  event_time: v.optional(v.number()),
  team_id: v.optional(id),
  enterprise_id: v.nullish(id),
  api_app_id: v.optional(id),
  /** A workspace that sees the event. */
  context_team_id: v.nullish(id),
  context_enterprise_id: v.nullish(id),
  /** Whose token shows the event to the app: that of its bot, in its workspace. */
  authorizations: v.fallback(
    v.array(
      v.object({
        user_id: v.optional(id),
        team_id: v.nullish(id),
        enterprise_id: v.nullish(id),
      }),
    ),
    [],
  ),
  /** Whether another company shares the channel. */
  is_ext_shared_channel: v.nullish(v.boolean()),
  event: v.object({
    type: id,
    subtype: v.optional(v.string()),
    bot_id: v.optional(v.string()),
    text: words,
    /** The image of a message to the bot. */
    files: messageParts.files,
    ts: v.optional(timestamp),
    channel_type: v.optional(v.string()),
    // In other events it is an object.
    user: v.fallback(v.optional(id), undefined),
    /** The workspace of the person. */
    user_team: v.nullish(id),
    source_team: v.nullish(id),
    item_user: v.optional(id),
    tab: v.optional(v.string()),
    channel: v.fallback(v.optional(id), undefined),
    thread_ts: v.optional(timestamp),
    reaction: v.optional(id),
    item: v.optional(v.object({ type: id, channel: v.optional(id), ts: v.optional(timestamp) })),
    event_ts: v.optional(v.string()),
    /** The people and bots whose tokens were revoked. */
    tokens: v.optional(v.object({ bot: v.nullish(v.array(v.string()), []) })),
  }),
})

const UrlVerification = v.object({
  type: v.literal('url_verification'),
  challenge: v.pipe(v.string(), v.maxLength(1000)),
})

const known = [
  SlashCommand,
  MessageShortcut,
  GlobalShortcut,
  ViewSubmission,
  BlockActions,
  BlockSuggestion,
  EventCallback,
  UrlVerification,
] as const

const SlackBody = v.variant('type', known)
const knownTypes: readonly string[] = known.map((schema) => schema.entries.type.literal)

/** A request of Slack with its allowed fields. */
type SlackBody = v.InferOutput<typeof SlackBody>

/** All requests except the challenge: the actions of people in a workspace. */
export type Interaction = Exclude<SlackBody, { type: 'url_verification' }>

export type ReadBody =
  | { kind: 'body'; body: SlackBody }
  | { kind: 'ssl_check' }
  | { kind: 'unknown'; eventName: string }
  | { kind: 'unreadable'; reason: string }

/**
 * Parses a verified body and picks the allowed fields.
 * @param contentType the header as sent, with or without a charset
 */
export function readBody(contentType: string | null, text: string): ReadBody {
  const raw = parseFields(contentType, text)
  if (raw === undefined) return { kind: 'unreadable', reason: 'neither a form nor a JSON object' }
  if ('ssl_check' in raw) return { kind: 'ssl_check' }
  const typed = 'command' in raw ? { ...raw, type: 'command' } : raw
  const type = 'type' in typed && typeof typed.type === 'string' ? typed.type : 'without a type'
  if (!knownTypes.includes(type)) return { kind: 'unknown', eventName: nameForLogs(type) }
  const picked = v.safeParse(SlackBody, typed)
  if (picked.success) return { kind: 'body', body: picked.output }
  return { kind: 'unreadable', reason: `a ${type} without the fields it needs` }
}

/** The fields of a body, which is JSON, a form, or a form that contains JSON. */
export function parseFields(contentType: string | null, text: string): object | undefined {
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  if (type === 'application/json') return readObject(text)
  if (type !== 'application/x-www-form-urlencoded') return undefined
  const form = new URLSearchParams(text)
  const payload = form.get('payload')
  return payload === null ? Object.fromEntries(form) : readObject(payload)
}
