import { formatMessage } from '../../../src/locales/index.ts'
import type { ComposeContext, DeliveredContext, FailedContext } from '../../kit/adapter.ts'
import { failureText } from '../../kit/chat/action-replies.ts'
import { buildChatItem } from '../../kit/chat/submissions.ts'
import type { Composed, Item } from '../../kit/composed.ts'
import { mrkdwnToMarkdown } from '../../kit/markdown/mrkdwn-markdown.ts'
import { ProviderError } from '../../kit/provider-error.ts'
import { displayNames, permalink, slackClient } from '../client.ts'
import { imageIn } from '../files.ts'
import { type Address, sendMessage } from '../messages/followup.ts'
import { findWorkspace } from '../person.ts'
import { composeAction } from '../requests/actions.ts'
import { composeMessage, conversationOfCommand } from '../requests/messages.ts'
import { composeReaction, confirmReaction, isPublic } from '../requests/reactions.ts'
import { deliveredMessage, undoneMessage } from '../requests/undo.ts'
import type { Settings } from '../settings.ts'
import {
  type EphemeralContext,
  readEphemeralContext,
  resolveNames,
  type SlackEvent,
} from './stored-event.ts'

const requestTimeoutMs = 10_000

/** Turns a stored event into a block with names instead of ids. */
export async function compose(context: ComposeContext<Settings, SlackEvent>): Promise<Composed> {
  const { event } = context
  const refusal = await refusePerson(context)
  if (refusal !== null) return { kind: 'ignored', reason: refusal }
  if (event.type === 'undo') return { kind: 'withdraw', externalIds: [event.external_id] }
  if (event.type === 'action') return await composeAction(context, event)
  if (event.type === 'message') return await composeMessage(context, event)
  if (event.type !== 'news') return await composeReaction(context, event)
  const ephemeralContext = readEphemeralContext(context.ephemeralContext)
  const items = [await itemOf(context, event, ephemeralContext)]
  const { command } = event
  const conversation =
    command && ephemeralContext ? conversationOfCommand(ephemeralContext) : undefined
  return {
    kind: 'items',
    items,
    ...((await isHidden(context, event, ephemeralContext)) && { fromPrivate: true }),
    ...(command && conversation !== undefined && { continues: { conversation, command } }),
  }
}

export const byOutsider = 'from a person of another company'

/**
 * Why an event from a channel that is shared with another company is ignored: Slack names its person as one of theirs. A
 * delivery that was ignored before has no person any more.
 */
async function refusePerson(context: ComposeContext<Settings, SlackEvent>): Promise<string | null> {
  const { only_people_of: workspaces, first_of = workspaces } = context.event
  if (workspaces === undefined || first_of === undefined) return null
  const saved = readEphemeralContext(context.ephemeralContext)
  if (saved === undefined)
    return 'from a shared channel, and its person is not stored any more: save it in Slack again'
  const workspace = await findWorkspace(context, saved.user, first_of)
  return workspace !== undefined && workspaces.includes(workspace) ? null : byOutsider
}

/** Whether news is from a channel of which Slack does not say that everybody can read it. */
async function isHidden(
  context: ComposeContext<Settings, SlackEvent>,
  { mentioned_in }: Extract<SlackEvent, { type: 'news' }>,
  saved: EphemeralContext | undefined,
): Promise<boolean> {
  // A process of an earlier version has stored the channel with the thread of the mention only.
  const channel = mentioned_in ?? (saved?.thread === undefined ? undefined : saved.source)
  if (channel === undefined) return false
  try {
    return !(await isPublic(clientOf(context), channel))
  } catch (error) {
    if (error instanceof ProviderError && error.problem === 'refused') return true
    throw error
  }
}

async function itemOf(
  context: ComposeContext<Settings, SlackEvent>,
  event: Extract<SlackEvent, { type: 'news' }>,
  ephemeralContext: EphemeralContext | undefined,
): Promise<Item> {
  const { language } = context
  const names = ephemeralContext ? await namesFor(ephemeralContext, context) : noNames
  const nameOf = (person: number) => names.get(ephemeralContext?.people[person] ?? '')
  const someone = formatMessage(language, 'someone', {})
  const source_url = event.message && (await permalink(clientOf(context), event.message))
  const author = names.get(ephemeralContext?.author ?? '') ?? event.author
  const item = {
    external_id: event.external_id,
    block_type: event.block_type,
    body: mrkdwnToMarkdown(resolveNames(event.body, nameOf, someone)),
    startsWithMention: typeof event.body[0] === 'object',
    ...(event.command && { command: event.command }),
    ...(source_url && { source_url }),
    ...(event.title && {
      title: mrkdwnToMarkdown(resolveNames(event.title, nameOf, someone)),
    }),
    ...(event.event_slug && { event_slug: event.event_slug }),
    ...(author && { author }),
    ...imageIn(event),
  }
  return buildChatItem(item, language)
}

const clientOf = ({ settings, provider }: ComposeContext<Settings, SlackEvent>) =>
  slackClient(settings, provider, requestTimeoutMs)

const noNames: ReadonlyMap<string, string> = new Map()

async function namesFor(
  { people, author }: EphemeralContext,
  context: ComposeContext<Settings, SlackEvent>,
): Promise<ReadonlyMap<string, string>> {
  const { event } = context
  const asked = author === undefined ? people : [...people, author]
  if (asked.length === 0) return noNames
  const names = displayNames(clientOf(context), asked)
  // The event contains the name of the author, but not the names in the text, which would stay
  // missing.
  const hasAllNames = people.length === 0 && event.type === 'news' && event.author !== undefined
  return hasAllNames ? await names.catch(() => noNames) : await names
}

/** Sends the person the link to the block, or the result of Undo. */
export async function onDelivered(context: DeliveredContext<Settings, SlackEvent>): Promise<void> {
  const { event, blocks, settings } = context
  if (event.type === 'action') return
  if (event.type === 'reaction_added' || event.type === 'reaction_removed') {
    return await confirmReaction(context, event)
  }
  const address = readEphemeralContext(context.ephemeralContext)
  if (address === undefined) return
  if (event.type === 'undo')
    return sendMessage(address, undoneMessage(blocks, context.language), context)
  const [block] = blocks
  if (block)
    await sendMessage(
      placed(address),
      deliveredMessage(block, address, {
        secrets: settings.signing_secret,
        language: context.language,
      }),
      context,
    )
}

/** The address of a person; of one who wrote to the bot in private, the thread of their message. */
function placed(address: EphemeralContext): Address {
  const { message, thread, source } = address
  const isDirect = source === undefined
  return isDirect && message && thread !== undefined
    ? { ...address, place: { channel: message.channel, thread } }
    : address
}

/** Informs the person when the content was not saved, or when a button did nothing. */
export async function onFailed(context: FailedContext<Settings, SlackEvent>): Promise<void> {
  const address = readEphemeralContext(context.ephemeralContext)
  const text = failureText(context.event.type, context.language)
  if (address !== undefined) await sendMessage(address, { text }, context)
}
