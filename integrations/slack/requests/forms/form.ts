import type { App, MessageShortcut, webApi } from '@slack/bolt'
import * as v from 'valibot'
import type { Language } from '../../../../src/contract/vocabulary.ts'
import { formatMessage } from '../../../../src/locales/index.ts'
import { itemText } from '../../../kit/chat/messages/item-text.ts'
import { parseMrkdwn } from '../../../kit/markdown/mrkdwn.ts'
import { mrkdwnToMarkdown } from '../../../kit/markdown/mrkdwn-markdown.ts'
import { SlackMessage } from '../../../kit/slack/message.ts'
import { oneLine } from '../../../kit/text/fit-length.ts'
import { displayNames, slackClient } from '../../client.ts'
import { removeUserIds, resolveNames } from '../../events/stored-event.ts'
import { imageOf, textBesideImage } from '../../files.ts'
import type { Address } from '../../messages/followup.ts'
import { replyEvent } from '../../messages/reply.ts'
import type { SlackFollowUp, SlackRequest } from '../request-result.ts'
import { type Form, type FormNotes, formView } from './modal.ts'

// A trigger can open a form for three seconds. Names may take one of them.
// Source: https://docs.slack.dev/surfaces/modals
const openTimeoutMs = 2000
const namesTimeoutMs = 1000

interface Opening {
  trigger_id: string
  /** The person who is informed when the form does not open. */
  address: Address
  form(client: webApi.WebClient): Promise<Form>
}

/** Opens a form after the response to the request. A person whom Slack shows none gets a message. */
export function openForm({ settings, language }: SlackRequest, opening: Opening): SlackFollowUp {
  const { trigger_id, address } = opening
  return async (provider) => {
    try {
      const form = await opening.form(slackClient(settings, provider, namesTimeoutMs))
      const client = slackClient(settings, provider, openTimeoutMs)
      await client.views.open({ trigger_id, view: formView(form, language) })
      return undefined
    } catch {
      return replyEvent('form_not_opened', trigger_id, address)
    }
  }
}

/** Listens for "Add to newsletter" on a message and for the shortcut that opens an empty form. */
export function listenForShortcuts(app: App, request: SlackRequest): void {
  const since = request.now.toISOString()
  app.shortcut({ type: 'message_action', callback_id: 'save_to_newsletter' }, async (shortcut) => {
    const { trigger_id, user, response_url } = shortcut.body
    const address = { user: user.id, response_url, since }
    const form = (client: webApi.WebClient) => formOf(shortcut.body, client, request)
    request.setResult({
      kind: 'immediateReply',
      after: openForm(request, { trigger_id, address, form }),
    })
    await shortcut.ack()
  })
  app.shortcut({ type: 'shortcut', callback_id: 'write_for_newsletter' }, async (shortcut) => {
    const { trigger_id, user } = shortcut.body
    const form = async (): Promise<Form> => ({ blockType: 'general', notes: {} })
    const address = { user: user.id, since }
    request.setResult({
      kind: 'immediateReply',
      after: openForm(request, { trigger_id, address, form }),
    })
    await shortcut.ack()
  })
}

/** The form for a message, with its text, the names in it and its author. */
async function formOf(
  shortcut: MessageShortcut,
  client: webApi.WebClient,
  { now, language }: SlackRequest,
) {
  const { message, response_url } = shortcut
  const someone = formatMessage(language, 'someone', {})
  const quoted = v.parse(SlackMessage, message)
  const text = textBesideImage(quoted)
  const people: string[] = []
  const titleParts = removeUserIds(parseMrkdwn(text?.title ?? '', language), people)
  const bodyParts = removeUserIds(parseMrkdwn(text?.body ?? '', language), people)
  const asked = message.user ? [...people, message.user] : people
  // The form opens without names, too: a person can write them.
  const names = await displayNames(client, asked).catch(() => new Map<string, string>())
  const nameOf = (number: number) => names.get(people[number] ?? '')
  const title = resolveNames(titleParts, nameOf, someone)
  const body = resolveNames(bodyParts, nameOf, someone)
  const author = names.get(message.user ?? '') ?? nameOfBot(message)
  return {
    blockType: 'general',
    title: readableTitle(title || body, language),
    body,
    fromPrivate: isPrivate(shortcut.channel),
    notes: {
      ...messageNotes(shortcut),
      ...imageOf(quoted),
      response_url,
      since: now.toISOString(),
      ...(author && { author_name: author }),
      ...(message.user && { author_id: message.user }),
    },
  } satisfies Form
}

/**
 * The channel and the time of a message. Slack sends the time twice, and in some channels only
 * once.
 */
function messageNotes({ channel, message, message_ts }: MessageShortcut): FormNotes {
  const time: string | undefined = message_ts ?? message.ts
  return {
    channel: channel.id,
    ...(time && { message_ts: time }),
    ...(isPrivate(channel) && { is_private: true }),
  }
}

/** The first line without its formatting, as a title in a newsletter. */
const readableTitle = (mrkdwn: string, language: Language) =>
  mrkdwn === '' ? '' : itemText({ markdown: mrkdwnToMarkdown(mrkdwn), language }).title

function nameOfBot(message: MessageShortcut['message']): string {
  const { username, bot_profile } = message
  return oneLine(String(username ?? bot_profile?.name ?? ''))
}

/**
 * The ids of direct messages start with D. Private channels start with C or G and have a common
 * name.
 */
const isPrivate = ({ id, name }: { id: string; name: string }) =>
  /^[DG]/.test(id) || /^(?:directmessage$|privategroup$|mpdm-)/.test(name)
