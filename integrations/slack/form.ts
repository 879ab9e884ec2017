import type { App, MessageShortcut, webApi } from '@slack/bolt'
import type { FollowUp } from '../kit/adapter.ts'
import { parseMrkdwn } from '../kit/mrkdwn.ts'
import { firstLineTitle, normalizeText, oneLine } from '../kit/text.ts'
import { displayNames, slackClient } from './client.ts'
import { type Address, sendMessage } from './followup.ts'
import { type Form, formView } from './modal.ts'
import { removeUserIds, resolveNames } from './news.ts'
import type { SlackRequest } from './request-result.ts'

// A trigger opens a form for three seconds; names may take one of them.
// Source: https://docs.slack.dev/surfaces/modals
const open_timeout_ms = 2000
const names_timeout_ms = 1000

const notOpened =
  'Slack did not open the form, so nothing was saved. Try again, or write your news behind the command: `/win We shipped version 2`.'

interface Opening {
  trigger_id: string
  /** Whom to tell when the form does not open. */
  address: Address
  form(client: webApi.WebClient): Promise<Form>
}

/** Opens a form once the request is answered; tells the person when Slack refuses. */
export function openForm({ settings, now }: SlackRequest, opening: Opening): FollowUp {
  return async (provider) => {
    try {
      const form = await opening.form(slackClient(settings, provider, names_timeout_ms))
      const client = slackClient(settings, provider, open_timeout_ms)
      await client.views.open({ trigger_id: opening.trigger_id, view: formView(form) })
    } catch (error) {
      await sendMessage(opening.address, { text: notOpened }, { settings, provider, now })
      throw new Error('The form was not opened', { cause: error })
    }
  }
}

/** Listens for "Add to newsletter" on a message, and for the shortcut that opens an empty form. */
export function listenForShortcuts(app: App, desk: SlackRequest): void {
  const since = desk.now.toISOString()
  app.shortcut({ type: 'message_action', callback_id: 'save_to_newsletter' }, async (shortcut) => {
    const { trigger_id, user, response_url } = shortcut.body
    const address = { user: user.id, response_url, since }
    const form = (client: webApi.WebClient) => formOf(shortcut.body, client, since)
    desk.setResult({ kind: 'handshake', after: openForm(desk, { trigger_id, address, form }) })
    await shortcut.ack()
  })
  app.shortcut({ type: 'shortcut', callback_id: 'write_for_newsletter' }, async (shortcut) => {
    const { trigger_id, user } = shortcut.body
    const form = async (): Promise<Form> => ({ blockType: 'general', notes: {} })
    const address = { user: user.id, since }
    desk.setResult({ kind: 'handshake', after: openForm(desk, { trigger_id, address, form }) })
    await shortcut.ack()
  })
}

/** The form for a message: its text readable, its author named. */
async function formOf(shortcut: MessageShortcut, client: webApi.WebClient, since: string) {
  const { channel, message, message_ts, response_url } = shortcut
  const people: string[] = []
  const parts = removeUserIds(parseMrkdwn(normalizeText(message.text ?? '')), people)
  const asked = message.user ? [...people, message.user] : people
  // A person sees the form and can write what is missing.
  const names = await displayNames(client, asked).catch(() => new Map<string, string>())
  const body = resolveNames(parts, (number) => names.get(people[number] ?? ''))
  const author = names.get(message.user ?? '') ?? nameOfBot(message)
  return {
    blockType: 'general',
    title: firstLineTitle(body),
    body,
    fromPrivate: isPrivate(channel),
    notes: {
      channel: channel.id,
      message_ts,
      response_url,
      since,
      ...(author ? { author_name: author } : message.user && { author_id: message.user }),
    },
  } satisfies Form
}

function nameOfBot(message: MessageShortcut['message']): string {
  const { username, bot_profile } = message
  return oneLine(String(username ?? bot_profile?.name ?? ''))
}

/** Direct messages start with D; private channels are C or G and go by a common name. */
const isPrivate = ({ id, name }: { id: string; name: string }) =>
  /^[DG]/.test(id) || /^(?:directmessage$|privategroup$|mpdm-)/.test(name)
