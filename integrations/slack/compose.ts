import type { ComposeContext, Composed, FailedContext, LandedContext } from '../adapter.ts'
import { chatItem, notSaved, notTakenBack } from '../chat.ts'
import { displayNames, slackClient } from './client.ts'
import { tell } from './followup.ts'
import { readTransient, type SlackEvent, type Transient, withNames } from './news.ts'
import type { Settings } from './settings.ts'
import { landedMessage, undoneMessage } from './undo.ts'

const names_timeout_ms = 3000

/** How long news waits for the names in it when Slack is down; then it goes without. */
const patience_ms = 10_000

/** Turns a stored event into a block with names instead of ids. */
export async function compose(context: ComposeContext<Settings, SlackEvent>): Promise<Composed> {
  const { event } = context
  if (event.type === 'undo') return { kind: 'withdraw', externalIds: [event.external_id] }
  const transient = readTransient(context.transient)
  const names = transient ? await namesFor(transient, context) : new Map<string, string>()
  const nameOf = (person: number) => names.get(transient?.people[person] ?? '')
  const author = names.get(transient?.author ?? '') ?? event.author
  return {
    kind: 'items',
    items: [
      chatItem({
        external_id: event.external_id,
        block_type: event.block_type,
        body: withNames(event.body, nameOf),
        ...(event.title && { title: withNames(event.title, nameOf) }),
        ...(event.event_slug && { event_slug: event.event_slug }),
        ...(author && { author }),
      }),
    ],
  }
}

async function namesFor(
  { people, author, since }: Transient,
  { settings, provider, now }: ComposeContext<Settings, SlackEvent>,
): Promise<Map<string, string>> {
  const asked = author === undefined ? people : [...people, author]
  if (asked.length === 0) return new Map()
  const client = slackClient(settings, provider, names_timeout_ms)
  const { names, incomplete } = await displayNames(client, asked)
  if (incomplete && now.getTime() - Date.parse(since) < patience_ms)
    throw new Error('Slack could not be asked for names')
  return names
}

/** Tells the person where their news lies, or what became of their Undo. */
export async function landed(context: LandedContext<Settings, SlackEvent>): Promise<void> {
  const { event, blocks, settings } = context
  const address = readTransient(context.transient)
  if (address === undefined) return
  if (event.type === 'undo') return tell(address, undoneMessage(blocks), context)
  const [block] = blocks
  if (block)
    await tell(address, landedMessage(block, address.user, settings.signing_secret), context)
}

/** Tells the person who was told "saved" that it came to nothing. */
export async function failed(context: FailedContext<Settings, SlackEvent>): Promise<void> {
  const address = readTransient(context.transient)
  const text = context.event.type === 'undo' ? notTakenBack : notSaved
  if (address !== undefined) await tell(address, { text }, context)
}
