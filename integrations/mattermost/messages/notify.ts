import type {
  ActionContext,
  ComposeContext,
  DeliveredContext,
  FailedContext,
} from '../../kit/adapter.ts'
import {
  conflictMessages,
  conflictText,
  type EditConflict,
  editConflict,
  failureText,
  resultText,
  turnOnButton,
} from '../../kit/chat/action-replies.ts'
import type { ReplyTopic } from '../../kit/chat/actions.ts'
import type { ActionButton } from '../../kit/chat/buttons.ts'
import type { ChatLocale } from '../../kit/chat/format.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import { replyText } from '../../kit/chat/tidings-command.ts'
import { shortenUtf16 } from '../../kit/text/fit-length.ts'
import { messageCharacters } from '../limits.ts'
import { namesOf } from '../person.ts'
import { hasBot, type Settings } from '../settings.ts'
import {
  type EphemeralContext,
  type MattermostEvent,
  readEphemeralContext,
} from '../stored-event.ts'
import { chatLocale } from './format.ts'
import { createPost, directChannel } from './messaging.ts'
import { actionOf, type PostContent } from './post.ts'
import { replyTo } from './reply.ts'

/** The name of the Undo button. Its message is the id of the person who may use it. */
export const undoNews = 'undo_news'

type Context = ComposeContext<Settings, MattermostEvent>

const plain = (message: string): PostContent => ({
  message: shortenUtf16(messageCharacters, message),
  attachments: [],
})

/** Sends the link to the block, or the result of Undo, to the person. */
export async function notifyDelivered(
  context: DeliveredContext<Settings, MattermostEvent>,
): Promise<void> {
  const address = readEphemeralContext(context.ephemeralContext)
  if (!address) return
  const content = deliveredContent(context, address)
  if (content) await replyTo(address, { id: idOf(context, 'delivered'), content }, context)
}

function deliveredContent(
  context: DeliveredContext<Settings, MattermostEvent>,
  address: EphemeralContext,
): PostContent | undefined {
  const { event, blocks, language } = context
  const [block] = blocks
  if (event.type === 'undo') {
    if (!block) return plain(chatText(language, 'undone'))
    return plain(chatText(language, 'undone_kept', { links: block.url }))
  }
  if (event.type === 'action' || !block) return undefined
  const { url: link, created, externalId } = block
  if (!created || externalId === null) {
    return plain(chatText(language, created ? 'in_library' : 'in_library_already', { link }))
  }
  const content = plain(chatText(language, 'in_library', { link }))
  // Only a bot can say later what became of Undo.
  if (!hasBot(context.settings) || address.user === undefined) return content
  const label = chatText(language, 'undo')
  return withButton(context, content, { name: undoNews, value: externalId, label }, address.user)
}

function withButton(
  {
    settings,
    webhookUrl,
  }: DeliveredContext<Settings, MattermostEvent> | ActionContext<Settings, MattermostEvent>,
  content: PostContent,
  button: Omit<ActionButton, 'kind' | 'name'> & { name: string },
  user: string,
): PostContent {
  const action = actionOf(button, { settings, webhookUrl: new URL(webhookUrl), message: user })
  return { ...content, attachments: [{ fallback: button.label, text: '', actions: [action] }] }
}

/** Says that the content was not saved, or what did not work. */
export async function notifyFailed(
  context: FailedContext<Settings, MattermostEvent>,
): Promise<void> {
  const { event, language } = context
  const address = readEphemeralContext(context.ephemeralContext)
  if (!address) return
  const content = plain(failureText(event.type ?? 'news', language))
  await replyTo(address, { id: idOf(context, 'failed'), content }, context)
}

/** Informs the person who used a button, and both people when they have decided differently. */
export async function notifyOfAction(
  context: ActionContext<Settings, MattermostEvent>,
): Promise<void> {
  const { result, event } = context
  const address = readEphemeralContext(context.ephemeralContext)
  if (result.outcome === 'answer') return await sendReply(context, address, result.about)
  if (address?.user === undefined || event.type !== 'action') return
  const acting = { address, user: address.user, locale: await localeFor(context, address) }
  const edit = editConflict({ result, user: acting.user, action: event.action }, acting.locale)
  await (edit ? notifyOfEdit(context, acting, edit) : notifyOfResult(context, acting))
}

/** Sends a person a reply of the bot. */
async function sendReply(
  context: ActionContext<Settings, MattermostEvent>,
  address: EphemeralContext | undefined,
  about: ReplyTopic,
): Promise<void> {
  if (!address) return
  const { user = '', name = user } = address
  const asking = { user, name, team: context.team }
  const text = await replyText(about, asking, chatLocale(context.language))
  await replyTo(address, { id: idOf(context, about), content: plain(text) }, context)
}

/** The person who used a button, and how sentences name people. */
interface Acting {
  address: EphemeralContext
  user: string
  locale: ChatLocale
}

/** Sentences with the names of the person who used a button and of the one who was faster. */
async function localeFor(
  context: ActionContext<Settings, MattermostEvent>,
  { user = '', name = '' }: EphemeralContext,
): Promise<ChatLocale> {
  const other = firstOf(context)
  const isNamed = other !== undefined && hasBot(context.settings)
  const names = isNamed ? await namesOf(context, [user, other]) : new Map<string, string>()
  return chatLocale(context.language, names.set(user, names.get(user) ?? name))
}

/** The person who decided or changed something before; undefined when nobody of Mattermost did. */
const firstOf = ({ result }: ActionContext<Settings, MattermostEvent>): string | undefined =>
  'by' in result && result.by !== null ? result.by : undefined

async function notifyOfEdit(
  context: ActionContext<Settings, MattermostEvent>,
  { address, locale }: Acting,
  conflict: EditConflict,
): Promise<void> {
  const texts = conflictMessages(conflict, { max: messageCharacters, format: locale.format })
  for (const [index, text] of texts.entries())
    await replyTo(address, { id: idOf(context, `edit ${index}`), content: plain(text) }, context)
  const { first } = conflict
  if (first) await inform(context, first.user, first.text)
}

async function notifyOfResult(
  context: ActionContext<Settings, MattermostEvent>,
  { address, user, locale }: Acting,
): Promise<void> {
  const { result } = context
  const conflict = conflictText({ result, user }, locale)
  const first = firstOf(context)
  if (conflict !== null && first !== undefined) await inform(context, first, conflict)
  const text = conflict ?? resultText(result, address.isShown, locale)
  if (text === null) return
  const turnOn = turnOnButton(result, locale)
  const content = turnOn ? withButton(context, plain(text), turnOn, user) : plain(text)
  await replyTo(address, { id: idOf(context, 'result'), content }, context)
}

/** Sends a person a direct message about what another person did at the same time. */
async function inform(
  context: ActionContext<Settings, MattermostEvent>,
  user: string,
  text: string,
): Promise<void> {
  if (!hasBot(context.settings)) return
  const channel = await directChannel(context, user)
  const id = idOf(context, `inform ${user}`)
  await createPost(context, { channel, id, content: plain(text) })
}

/** The id of a message about an attempt, which is the same when sending it is repeated. */
const idOf = ({ event, ephemeralContext, now }: Context, what: string) =>
  `${what} ${now.toISOString()} ${JSON.stringify([event, ephemeralContext])}`
