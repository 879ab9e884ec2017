import * as v from 'valibot'
import { ProviderError, responseError } from '../../kit/provider-error.ts'
import { type BotContext, callConnector, requestGraph } from './client.ts'
import type { BotActivity } from './requests/activity.ts'

const prefix = 'message:'
const maxLookedAt = 3

/** Whether the HTML of a message has an image; emoji are pictures, too. */
export const hasImage = (html: string): boolean =>
  (html.match(/<img\b[^<>]*>/gi) ?? []).some((tag) => !/schema\.skype\.com\/Emoji/i.test(tag))

/**
 * The reference to the images of a message in the conversation of a request; undefined where its team is
 * not known. The form says only which message it is: its conversation is the one that Teams has sent, so
 * that nobody gets the image of a conversation in which they are not.
 */
export function savedMessage(
  { conversation, channelData }: BotActivity,
  message: string,
): string | undefined {
  const [place = '', ...parameters] = conversation.id.split(';')
  if (conversation.conversationType !== 'channel')
    return prefix + new URLSearchParams({ chat: place, message })
  const team = channelData?.team?.id
  const thread = new URLSearchParams(parameters.join('&')).get('messageid') ?? message
  return team ? prefix + new URLSearchParams({ team, channel: place, thread, message }) : undefined
}

/** Whether a file is the reference to a message. */
export const isSavedMessage = (file: string): boolean => file.startsWith(prefix)

const HostedContents = v.object({ value: v.array(v.object({ id: v.string() })) })

/**
 * Fetches the first image of a message. Throws a `ProviderError`, also where the tenant does not let the
 * app read the message. Source: https://learn.microsoft.com/graph/api/chatmessagehostedcontent-get
 */
export async function fetchSavedImage(context: BotContext, file: string): Promise<Uint8Array> {
  const contents = `${await messagePath(context, file)}/hostedContents`
  const listed = v.safeParse(HostedContents, await (await readGraph(context, contents)).json())
  const { value } = listed.success ? listed.output : { value: [] }
  for (const { id } of value.slice(0, maxLookedAt)) {
    const content = await readGraph(context, `${contents}/${encodeURIComponent(id)}/$value`)
    // Code is stored as hosted content, too.
    const isImage = content.headers.get('content-type')?.startsWith('image/')
    if (isImage) return await content.bytes()
    await content.body?.cancel()
  }
  throw new ProviderError('refused', `The image is a file in SharePoint. ${addIt}`)
}

const addIt = 'Add it to the block in the library.'

async function readGraph(context: BotContext, path: string): Promise<Response> {
  const response = await requestGraph(context, path)
  if (response.ok) return response
  if ([401, 403].includes(response.status))
    throw new ProviderError('refused', `Teams does not let the app read the image. ${addIt}`)
  if (response.status === 404)
    throw new ProviderError('refused', `Teams no longer has the message. ${addIt}`)
  throw responseError(response, { name: 'Microsoft Graph', check: 'app_id and app_password' })
}

async function messagePath(context: BotContext, file: string): Promise<string> {
  const place = new URLSearchParams(file.slice(prefix.length))
  const part = (name: string) => encodeURIComponent(place.get(name) ?? '')
  if (place.has('chat')) return `chats/${part('chat')}/messages/${part('message')}`
  const group = encodeURIComponent(await groupOf(context, part('team')))
  const thread = `teams/${group}/channels/${part('channel')}/messages/${part('thread')}`
  const isReply = place.get('thread') !== place.get('message')
  return isReply ? `${thread}/replies/${part('message')}` : thread
}

const TeamDetails = v.object({ aadGroupId: v.string() })

/** The id of a team in Microsoft Graph, which differs from the one in requests to bots. */
async function groupOf(context: BotContext, team: string): Promise<string> {
  const details = await callConnector(context, { path: `teams/${team}` }, TeamDetails)
  if (details) return details.aadGroupId
  throw new ProviderError('refused', `The app is not installed in the team. ${addIt}`)
}
