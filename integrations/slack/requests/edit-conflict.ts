import type { ActionContext } from '../../kit/adapter.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import { escapeForSlack } from '../../kit/markdown/mrkdwn.ts'
import { htmlToText } from '../../kit/plain-text.ts'
import { truncateUtf16 } from '../../kit/text.ts'
import { slackClient } from '../client.ts'
import { mention, paragraph, shortTitle } from '../messages/message-blocks.ts'
import type { Settings } from '../settings.ts'
import type { SlackEvent } from '../stored-event.ts'

const timeout_ms = 10_000
const textCharacters = 2_500

/**
 * Informs a person whose change to a draft was not saved, with what they wrote, and the person who was faster, if
 * that was in Slack. Does nothing after other actions.
 */
export async function informEditors(
  { event, result, settings, provider, language }: ActionContext<Settings, SlackEvent>,
  { user }: { user: string },
): Promise<void> {
  if (result.outcome !== 'edit_conflict' && result.outcome !== 'edit_reviewed') return
  if (event.type !== 'action' || event.action.type !== 'edit') return
  const client = slackClient(settings, provider, timeout_ms)
  const title = escapeForSlack(
    shortTitle(result.title ?? chatText(language, 'review_private_title')),
  )
  const by = result.outcome === 'edit_conflict' ? result.by : null
  const why = () => {
    if (result.outcome === 'edit_reviewed') return chatText(language, 'edit_reviewed', { title })
    if (by === null || by === user) return chatText(language, 'edit_conflict_elsewhere', { title })
    return chatText(language, 'edit_conflict', { title, person: mention(by) })
  }
  const { title: ownTitle, body } = event.action
  const own = [ownTitle, body === null ? '' : htmlToText(body)].filter((part) => part !== '')
  const text = why()
  await client.chat.postMessage({
    channel: user,
    text,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } },
      paragraph(truncateUtf16(textCharacters, own.join('\n\n'))),
    ],
  })
  if (by === null || by === user) return
  const first = chatText(language, 'edit_conflict_first', { title, person: mention(user) })
  await client.chat.postMessage({ channel: by, text: first, unfurl_links: false })
}
