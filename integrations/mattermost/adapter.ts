import * as v from 'valibot'
import { type ComposeContext, defineAdapter } from '../kit/adapter.ts'
import type { ReplyTopic } from '../kit/chat/actions.ts'
import { unknownPerson } from '../kit/chat/messages/messaging.ts'
import { buildChatItem, type ChatSubmission } from '../kit/chat/submissions.ts'
import type { Composed } from '../kit/composed.ts'
import { ProviderError } from '../kit/provider-error.ts'
import type { Received } from '../kit/requests/received.ts'
import { channelOf } from '../kit/requests/request-source.ts'
import { isSharedSecret } from '../kit/requests/signature.ts'
import {
  badRequest,
  nameForLogs,
  strictUtf8,
  unauthorized,
} from '../kit/requests/webhook-request.ts'
import { fetchAttachment } from './files.ts'
import { messaging } from './messages/messaging.ts'
import { posting } from './messages/newsletter.ts'
import { notifyDelivered, notifyFailed, notifyOfAction } from './messages/notify.ts'
import { getPerson } from './person.ts'
import { registration } from './registration.ts'
import { receiveButtonClick } from './requests/buttons.ts'
import { receiveCommand } from './requests/commands.ts'
import type { RequestContext } from './requests/context.ts'
import { receivePost } from './requests/outgoing-webhook.ts'
import { receiveSubmission } from './requests/receive-submission.ts'
import { ButtonClick, Post, readFields, SlashCommand, Submission } from './requests/request.ts'
import { isTriggerOf } from './requests/trigger-id.ts'
import { composeSaved, contributorsOfSaved } from './saved-post.ts'
import { hasBot, requestTokens, type Settings, settingsSchema } from './settings.ts'
import {
  contributors,
  type EphemeralContext,
  type MattermostEvent,
  readEphemeralContext,
} from './stored-event.ts'

export const adapter = defineAdapter({
  slug: 'mattermost',
  name: 'Mattermost',
  category: 'chat',
  settings: settingsSchema,
  sourceOf: channelOf,

  async receive(request, given): Promise<Received<MattermostEvent>> {
    const { headers } = request
    const context = { ...given, webhookUrl: new URL(request.url.pathname, request.url) }
    const tokens = requestTokens(given.settings)
    const inHeader = tokenIn(headers.get('authorization'))
    if (inHeader && !isSharedSecret(inHeader, tokens)) return unauthorized
    const text = strictUtf8(request.body)
    const fields = text && readFields(headers.get('content-type'), text)
    if (!fields) return inHeader ? badRequest('neither a form nor a JSON object') : unauthorized
    const signed = receiveSigned(fields, context)
    if (signed) return signed
    const inBody = 'token' in fields ? fields.token : undefined
    if (!isTrusted(inHeader, inBody, tokens)) return unauthorized
    return await receiveTrusted(fields, text, context)
  },

  compose,
  fetchAttachment,
  onDelivered: notifyDelivered,
  onFailed: notifyFailed,
  onAction: notifyOfAction,
  contributors: (context) =>
    context.event.type === 'saved'
      ? contributorsOfSaved(context, context.event)
      : contributors(context),
  messaging,
  posting,
  registration,
})

const tokenIn = (header: string | null) => /^Token (\S+)$/i.exec(header ?? '')?.[1]

/**
 * Mattermost does not sign requests. It sends the token of the command or webhook in the header, in
 * the body or in both. Every token in the request has to be right.
 * Source: https://developers.mattermost.com/integrate/slash-commands/custom
 */
function isTrusted(inHeader: string | undefined, inBody: unknown, tokens: readonly string[]) {
  const given = [inHeader, inBody].filter((token) => token !== undefined && token !== '')
  return (
    given.length > 0 &&
    given.every((token) => typeof token === 'string' && isSharedSecret(token, tokens))
  )
}

/** The result of a button or a form, which have our signature; undefined for other requests. */
function receiveSigned(
  fields: object,
  context: RequestContext,
): Received<MattermostEvent> | undefined {
  const form = v.safeParse(Submission, fields)
  if (form.success) return receiveSubmission(form.output, context)
  const click = v.safeParse(ButtonClick, fields)
  return click.success ? receiveButtonClick(click.output, context) : undefined
}

/** The result of a slash command, or of a post that triggered an outgoing webhook. */
async function receiveTrusted(
  fields: object,
  body: string,
  context: RequestContext,
): Promise<Received<MattermostEvent>> {
  if ('command' in fields) {
    const command = v.safeParse(SlashCommand, fields)
    return command.success
      ? await receiveCommand(command.output, body, context)
      : badRequest('a command without the fields it needs')
  }
  if ('post_id' in fields) {
    const post = v.safeParse(Post, fields)
    return post.success
      ? receivePost(post.output, context)
      : badRequest('a post without the fields it needs')
  }
  const type = 'type' in fields && typeof fields.type === 'string' ? fields.type : 'without a type'
  return { kind: 'unknown', eventName: nameForLogs(type) }
}

async function compose(context: ComposeContext<Settings, MattermostEvent>): Promise<Composed> {
  const { event, language } = context
  const address = readEphemeralContext(context.ephemeralContext)
  switch (event.type) {
    case 'undo':
      return (await isProven(context, address))
        ? { kind: 'withdraw', externalIds: [event.external_id] }
        : notProven
    case 'action':
      return await composeAction(context, event, address)
    case 'saved':
      return (await composeSaved(context, event)) ?? replyAbout('not_public', address ?? {})
    default:
      return { kind: 'items', items: [buildChatItem(await withName(context, event), language)] }
  }
}

async function composeAction(
  context: ComposeContext<Settings, MattermostEvent>,
  { action }: Extract<MattermostEvent, { type: 'action' }>,
  address: EphemeralContext | undefined,
): Promise<Composed> {
  if (address?.user === undefined)
    return { kind: 'ignored', reason: 'Nobody knows any more who used the button.' }
  const isTheirs = await isProven(context, address)
  // A reply needs no permission.
  if (action.type === 'answer') return replyAbout(isTheirs ? action.about : 'failed', address)
  if (!isTheirs) return notProven
  return { kind: 'action', action, person: await personOf(context, address) }
}

const replyAbout = (
  about: ReplyTopic,
  { user = '', name }: Pick<EphemeralContext, 'user' | 'name'>,
): Composed => ({
  kind: 'action',
  action: { type: 'answer', about },
  person: unknownPerson(user, name),
})

const notProven = {
  kind: 'ignored',
  reason: 'The Mattermost server has not signed who used the button.',
} as const

/** Whether the server has signed who used a button. Forms and commands prove it themselves. */
async function isProven(
  context: ComposeContext<Settings, MattermostEvent>,
  address: EphemeralContext | undefined,
): Promise<boolean> {
  const { user = '', trigger, since = '' } = address ?? {}
  if (trigger === undefined) return address !== undefined
  return await isTriggerOf(context, { trigger, user, around: new Date(since) })
}

/** The person who used a button. Without a bot, the command is all that is known of them. */
async function personOf(
  context: ComposeContext<Settings, MattermostEvent>,
  { user = '', name = user }: EphemeralContext,
) {
  return hasBot(context.settings) ? await getPerson(context, user) : unknownPerson(user, name)
}

/** News with the name of its author as Mattermost shows it, if the bot can read that. */
async function withName(
  context: ComposeContext<Settings, MattermostEvent>,
  event: ChatSubmission,
): Promise<ChatSubmission> {
  const { user } = readEphemeralContext(context.ephemeralContext) ?? {}
  if (user === undefined || !hasBot(context.settings)) return event
  try {
    const { name } = await getPerson(context, user)
    return name === user ? event : { ...event, author: name }
  } catch (error) {
    // Their user name is good enough.
    if (error instanceof ProviderError) return event
    throw error
  }
}
