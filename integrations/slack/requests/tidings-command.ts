import type { App } from '@slack/bolt'
import type { Language } from '../../../src/contract/vocabulary.ts'
import { localeOf } from '../../../src/locales/index.ts'
import type { Submission, TeamApi } from '../../kit/adapter.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import { escapeForSlack } from '../../kit/markdown/mrkdwn.ts'
import { oneLine } from '../../kit/text.ts'
import { ephemeral } from '../messages/followup.ts'
import { accountLinkText, shortTitle } from '../messages/message-blocks.ts'
import { commandDelivery } from './commands.ts'
import type { SlackRequest, SlackResult } from './request-result.ts'

/** Listens for `/tidings`, whose reply only the person who asks sees. */
export function listenForTidings(app: App, request: SlackRequest): void {
  app.command('/tidings', async ({ command, ack }) => {
    const word = oneLine(command.text).toLowerCase()
    const wanted = switches.get(word)
    if (wanted !== undefined) {
      request.setResult(switched(command, wanted, request))
      return ack()
    }
    request.setResult({ kind: 'immediateReply' })
    const person = { user: command.user_id, name: oneLine(command.user_name) || command.user_id }
    return ack(ephemeral(await replyTo(word, person, request)))
  })
}

const switches = new Map([
  ['off', false],
  ['mute', false],
  ['on', true],
  ['unmute', true],
])

interface Command {
  user_id: string
  trigger_id: string
  response_url: string
}

function switched(command: Command, wanted: boolean, { now }: SlackRequest): SlackResult {
  const { user_id: user, response_url } = command
  return {
    kind: 'event',
    deliveryId: commandDelivery(command),
    event: { type: 'action', action: { type: 'messages', wanted } },
    ephemeralContext: { user, people: [], response_url, since: now.toISOString() },
  }
}

async function replyTo(
  word: string,
  { user, name }: { user: string; name: string },
  { team, language }: SlackRequest,
): Promise<string> {
  switch (word) {
    case 'next':
    case 'next newsletter':
      return await nextText(team, language)
    case 'mine':
    case 'submissions':
    case 'my submissions':
      return submissionsText(await team.submissions(user), language)
    case 'link':
      return accountLinkText(await team.accountLink({ user, name }), language)
    case 'status':
      return `${chatText(language, 'status_counts', await team.counts())}\n${await nextText(team, language)}`
    default:
      return chatText(language, 'tidings_help')
  }
}

/** The next newsletter in one sentence, in Slack's text format. */
export async function nextText(team: TeamApi, language: Language): Promise<string> {
  const next = await team.nextNewsletter()
  if (!next) return chatText(language, 'next_none')
  const { blocks, date } = next
  const title = escapeForSlack(shortTitle(next.title))
  if (date === null) return chatText(language, 'next_undated', { title, blocks })
  const format = new Intl.DateTimeFormat(localeOf(language), {
    ...({ weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const),
  })
  return chatText(language, 'next_dated', { title, blocks, date: format.format(new Date(date)) })
}

/** What became of the news of a person, one line each, in Slack's text format. */
export function submissionsText(submissions: readonly Submission[], language: Language): string {
  if (submissions.length === 0) return chatText(language, 'submissions_none')
  const lines = submissions.map(({ title, state, url }) => {
    const name = shortTitle(title ?? chatText(language, 'submission_deleted'))
    return `• <${url}|${escapeForSlack(name)}>: ${chatText(language, `submission_${state}`)}`
  })
  return lines.join('\n')
}
