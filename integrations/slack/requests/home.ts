import type { App, BlockButtonAction, types } from '@slack/bolt'
import type { Language } from '../../../src/contract/vocabulary.ts'
import { localeOf } from '../../../src/locales/index.ts'
import type { HomeContext } from '../../kit/adapter.ts'
import { buttonNames, emptyForm } from '../../kit/chat/buttons.ts'
import { formText } from '../../kit/chat/forms/edit-text.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import { draftParts } from '../../kit/chat/messages/review-parts.ts'
import { nextSentence, submissionsText } from '../../kit/chat/tidings-command.ts'
import { escapeForSlack } from '../../kit/markdown/mrkdwn.ts'
import type { HomeContent, PostedPrompt, UnreadText } from '../../kit/team-api.ts'
import { slackClient } from '../client.ts'
import { chatLocale } from '../format.ts'
import { sectionCharacters } from '../limits.ts'
import { blocksOf, plain, textBlock, writeButton } from '../messages/message-blocks.ts'
import { getPerson } from '../person.ts'
import type { Settings } from '../settings.ts'
import { openForm } from './forms/form.ts'
import { mrkdwnFormat } from './forms/format.ts'
import type { Form } from './forms/modal.ts'
import type { SlackFollowUp, SlackRequest } from './request-result.ts'

const timeoutMs = 10_000
/** How often a home is published whose content goes on changing; afterwards it is planned again. */
const maxPublished = 3

/** Listens for the opening of the app's home, and for the button of the form. */
export function listenForHome(app: App, request: SlackRequest): void {
  app.event('app_home_opened', async ({ event }) => {
    const isHome = event.tab === 'home'
    request.setResult({
      kind: 'immediateReply',
      ...(isHome && { after: showHome(request, event.user) }),
    })
  })
  app.action<BlockButtonAction>(
    { type: 'block_actions', action_id: buttonNames.openForm },
    async ({ action, body, ack }) => {
      const { user, trigger_id, response_url, container } = body
      const { channel_id: source, message_ts } = container
      const since = request.now.toISOString()
      const address = { user: user.id, response_url, since }
      // In the home, the form is not the reply to a message.
      const written = message_ts ? await request.team.unreadText(user.id) : null
      const form = async () => {
        const { notes, ...opened } = formFor(action.value ?? '', written, request.language)
        return { ...opened, notes: { ...notes, ...(source && { source }) } }
      }
      request.setResult({
        kind: 'immediateReply',
        after: openForm(request, { trigger_id, address, form }),
      })
      await ack()
    },
  )
}

/** A form with what the person wrote to the bot before; that of a question asks for wins, and what is written there counts as a reply. */
function formFor(prompt: string, written: UnreadText | null, language: Language): Form {
  if (prompt !== emptyForm) return { blockType: 'wins_milestones', notes: { prompt } }
  if (!written) return { blockType: 'general', notes: {} }
  const { id: unread_id, text, fromPrivate, image } = written
  return {
    blockType: 'general',
    body: formText(text, mrkdwnFormat(language)),
    fromPrivate,
    notes: { unread_id, ...image, ...(fromPrivate && { is_private: true }) },
  }
}

/** Publishes the home that a person has opened or used, which is published again when its content changes. */
export function showHome(
  request: Pick<SlackRequest, 'settings' | 'team' | 'language'>,
  user: string,
): SlackFollowUp {
  return async (provider) => {
    // A home that Slack does not take is published again within minutes, as one whose content has changed.
    await request.team.homeShown({ userId: user, isEditor: true, fingerprint: '' })
    const home = await publishHome({ ...request, provider, user })
    await request.team.homeShown(home)
    return undefined
  }
}

/**
 * Publishes the home of a person: their news, the next newsletter, and the review queue for editors.
 * Source: https://docs.slack.dev/reference/methods/views.publish
 */
export async function publishHome({
  settings,
  provider,
  team,
  language,
  user: userId,
}: HomeContext<Settings>): Promise<{ userId: string; isEditor: boolean; fingerprint: string }> {
  const isEditor = await team.isEditor(await getPerson({ settings, provider }, userId))
  const client = slackClient(settings, provider, timeoutMs)
  let home = await team.home({ userId, isEditor })
  let shown = home
  let published = 0
  do {
    shown = home
    await client.views.publish({ user_id: userId, view: homeView(shown, language) })
    published += 1
    // Another process may have published a later change already.
    home = await team.home({ userId, isEditor })
  } while (home.fingerprint !== shown.fingerprint && published < maxPublished)
  return { userId, isEditor, fingerprint: shown.fingerprint }
}

function homeView(
  { editorial, next, submissions }: HomeContent,
  language: Language,
): types.HomeView {
  const locale = chatLocale(language)
  const blocks: types.KnownBlock[] = [
    header(chatText(language, 'home_welcome')),
    writeButton(language),
    header(chatText(language, 'next_title')),
    textBlock(nextSentence(next, language, locale.format.escape)),
    ...(editorial ? reviewQueue(editorial, language) : []),
    ...(editorial ? promptList(editorial.prompts, language) : []),
    header(chatText(language, 'submissions_title')),
    ...sections(submissionsText(submissions, locale)),
  ]
  return { type: 'home', blocks }
}

function reviewQueue(
  { drafts, allDraftsUrl }: NonNullable<HomeContent['editorial']>,
  language: Language,
): types.KnownBlock[] {
  const locale = chatLocale(language)
  const queue =
    drafts.length > 0
      ? blocksOf(draftParts(drafts, locale))
      : [textBlock(chatText(language, 'home_review_none'))]
  const all =
    allDraftsUrl === null
      ? []
      : [textBlock(oldestText(language, locale.format.link(allDraftsUrl, 'Tidings')))]
  return [header(chatText(language, 'home_review')), ...queue, ...all]
}

const oldestText = (language: Language, link: string) =>
  chatText(language, 'home_review_oldest', { link })

/** The newest questions with the number of their replies. */
function promptList(prompts: readonly PostedPrompt[], language: Language): types.KnownBlock[] {
  if (prompts.length === 0) return []
  const format = new Intl.DateTimeFormat(localeOf(language), {
    dateStyle: 'long',
    timeZone: 'UTC',
  })
  const lines = prompts.map(({ question, channel, day, replies }) => {
    const asked = question ?? chatText(language, 'prompt_question')
    const values = { question: escapeForSlack(asked), channel: `<#${channel}>`, count: replies }
    return `• ${chatText(language, 'home_prompt_replies', { ...values, date: format.format(new Date(day)) })}`
  })
  return [header(chatText(language, 'home_prompts')), ...sections(lines.join('\n'))]
}

const header = (title: string): types.HeaderBlock => ({ type: 'header', text: plain(title) })

/** Lines in as few sections as Slack's limit allows: an escaped text can be five times as long. */
function sections(mrkdwn: string): types.SectionBlock[] {
  const [first = '', ...lines] = mrkdwn.split('\n')
  const texts: string[] = []
  let current = first
  for (const line of lines) {
    const longer = `${current}\n${line}`
    if (longer.length > sectionCharacters) texts.push(current)
    current = longer.length > sectionCharacters ? line : longer
  }
  return [...texts, current].map(textBlock)
}
