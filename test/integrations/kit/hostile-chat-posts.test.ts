import { describe, expect, test } from 'bun:test'
import { Marked } from 'marked'
import * as v from 'valibot'
import { adapter as discord } from '../../../integrations/discord/adapter.ts'
import { messageContent } from '../../../integrations/kit/chat/messages/message-content.ts'
import type {
  DraftToReview,
  OutgoingMessage,
} from '../../../integrations/kit/chat/messages/messaging.ts'
import { emptyTeam } from '../../../integrations/kit/dry-run.ts'
import type { TeamApi } from '../../../integrations/kit/team-api.ts'
import { adapter as mattermost } from '../../../integrations/mattermost/adapter.ts'
import { chatLocale } from '../../../integrations/mattermost/messages/format.ts'
import { postOf } from '../../../integrations/mattermost/messages/post.ts'
import { adapter as slack } from '../../../integrations/slack/adapter.ts'
import { publishHome } from '../../../integrations/slack/requests/home.ts'
import { deliveredMessage } from '../../../integrations/slack/requests/undo.ts'
import { adapter as teams } from '../../../integrations/teams/adapter.ts'
import { noKeys, noProvider } from '../../support/adapters.ts'
import {
  chunks,
  newsletterOf,
  ownUrl,
  recorder,
  texts,
} from '../../support/hostile/hostile-posts.ts'
import { requireBlockKit } from '../../support/slack/block-kit.ts'
import { formBody, noon, signed } from '../../support/slack/slack.ts'
import { command, press } from '../../support/slack/slack-payloads.ts'

describe('Slack', () => {
  const settings = v.parse(slack.settings, {
    signing_secret: 'signing-secret-of-the-tests',
    bot_token: 'xoxb-test',
    newsletter_channel: 'C0NEWS',
  })

  const editButton = press('cb_1', {
    actions: [{ type: 'button', action_id: 'edit_in_form', value: 'cb_1', action_ts: '1795.1' }],
  })

  const webhookUrl = 'https://tidings.test/hooks/slack/token'
  /** What a text in Slack's format may contain in angle brackets: our own links, people and channels. */
  const ownControl = /^<(?:https:\/\/tidings\.test\/page\|[^<>]*|@U0OWN|@U0ADA|#C0OWN)>$/

  function requireNoControl(mrkdwn: string): void {
    const controls = mrkdwn.match(/<[^>]*>?/g) ?? []
    expect(controls.filter((control) => !ownControl.test(control))).toEqual([])
    expect(mrkdwn.replace(/<[^>]*>/g, '')).not.toContain('>')
  }

  const isObject = (value: unknown) => typeof value === 'object' && value !== null

  /** Checks a block or one of its parts: only text objects of the type `mrkdwn` have a format. */
  function requireHarmless(part: object): void {
    const { type, text, url, ...rest }: Record<string, unknown> = { ...part }
    expect(['user', 'usergroup', 'broadcast', 'channel']).not.toContain(type)
    if (type === 'mrkdwn') requireNoControl(String(text))
    if (url !== undefined) expect(url).toBe(ownUrl)
    for (const value of [text, ...Object.values(rest)].flat())
      if (isObject(value)) requireHarmless(Object(value))
  }

  function check(sent: readonly Record<string, unknown>[]): void {
    for (const { text, blocks, view } of sent) {
      if (typeof text === 'string') requireNoControl(text)
      if (typeof blocks === 'string') checkBlocks(JSON.parse(blocks))
      if (typeof view === 'string') checkBlocks(JSON.parse(view).blocks)
    }
  }

  function checkBlocks(blocks: object[]): void {
    requireBlockKit(blocks, 100)
    for (const block of blocks) requireHarmless(block)
  }

  const draftOf = (text: string): DraftToReview => ({
    id: 'cb_1',
    version: 1,
    content: { title: text, excerpt: text, author: text },
    url: ownUrl,
    state: { kind: 'waiting' },
  })
  const decidedBy = (by: string): DraftToReview => ({
    ...draftOf(by),
    state: { kind: 'approved', by },
  })

  const messagesOf = (chunk: string[]): OutgoingMessage[] => [
    { kind: 'review', drafts: [...chunk.map(draftOf), ...chunk.map(decidedBy)] },
    ...chunk.flatMap((text): OutgoingMessage[] => [
      {
        kind: 'published',
        newsletter: { title: text, url: ownUrl },
        contributed: chunk,
        thanked: chunk,
      },
      { kind: 'declined', title: text },
      { kind: 'prompt', promptId: '1', question: text, muted: { by: text } },
      { kind: 'reminder', promptId: '1', question: text },
    ]),
  ]

  test('newsletters and messages to people and channels contain no link and no mention that somebody wrote in a title, a name or a question', async () => {
    const { sent, provider } = recorder()
    const context = { settings, provider, language: 'en' as const }
    for (const chunk of chunks)
      await slack.posting?.post({
        ...context,
        ...{ id: '1', channel: 'C0NEWS', newsletter: newsletterOf(chunk) },
      })
    for (const message of chunks.flatMap(messagesOf))
      await slack.messaging?.send({
        ...context,
        webhookUrl,
        id: '1',
        recipient: 'C0EDITORS',
        to: 'channel',
        thread: null,
        message,
      })
    expect(sent.length).toBeGreaterThan(texts.length * 4)
    check(sent)
  })

  test('the home of the app, the replies to its command and the form of a draft contain no link and no mention that somebody wrote', async () => {
    const { sent, provider } = recorder({ profile: { display_name: '<!channel>' } })
    const language = 'en'
    for (const chunk of chunks) {
      const [first = ''] = chunk
      const team: TeamApi = {
        ...emptyTeam,
        home: async () => ({
          submissions: await team.submissions(''),
          next: await team.nextNewsletter(),
          editorial: {
            drafts: chunk.map(draftOf),
            allDraftsUrl: ownUrl,
            prompts: chunk.map((question) => ({
              question,
              channel: 'C0OWN',
              day: '2026-11-20',
              replies: 2,
            })),
          },
          fingerprint: '',
        }),
        submissions: async () => chunk.map((title) => ({ title, state: 'waiting', url: ownUrl })),
        nextNewsletter: async () => ({ title: first, date: '2026-11-27', blocks: 2 }),
        draftToEdit: async () => ({
          ...{ id: 'cb_1', version: 1, title: first, url: ownUrl, body_format: 'html' },
          body: `<p>${Bun.escapeHTML(first)}</p>`,
        }),
      }
      const receive = async (fields: object) =>
        await slack.receive(signed(formBody(fields)), {
          settings,
          now: noon,
          team,
          language,
          keys: noKeys,
          provider: noProvider,
        })
      await publishHome({ settings, team, language, provider, user: 'U0OWN' })
      for (const word of ['next', 'mine', 'status']) {
        const received = await receive(command(word, { command: '/tidings' }))
        if (received.kind !== 'immediateReply') throw new Error(`received ${received.kind}`)
        sent.push(Object(received.reply?.body))
      }
      const opened = await receive(editButton)
      if (opened.kind !== 'immediateReply') throw new Error(`received ${opened.kind}`)
      await opened.after?.(provider)
    }
    expect(sent.filter(({ view }) => view !== undefined)).toHaveLength(chunks.length * 2)
    check(sent)
  })

  test('the replies to what a person does contain no link and no mention that somebody wrote in a title', async () => {
    const { sent, provider } = recorder()
    for (const text of texts) {
      const { blocks = [], ...message } = deliveredMessage(
        { id: 'cb_1', title: text, url: ownUrl, created: true, externalId: 'slack:1' },
        { user: 'U0OWN' },
        { secrets: ['secret'], language: 'en' },
      )
      sent.push({ ...message, blocks: JSON.stringify(blocks) })
      const action = { type: 'edit' as const, blockId: 'cb_1', version: 1, title: text, body: null }
      const event = { type: 'action' as const, action }
      for (const result of [
        { outcome: 'edit_conflict', title: text, by: 'U0OWN' },
        { outcome: 'edit_reviewed', title: text },
        { outcome: 'edit_missing' },
        {
          outcome: 'decided_before',
          title: text,
          wanted: 'approved',
          decision: 'declined',
          by: 'U0OWN',
        },
      ] as const)
        await slack.onAction?.({
          ...{ event, result, settings, provider, now: noon, language: 'en', team: emptyTeam },
          ephemeralContext: { user: 'U0ADA', people: [], since: noon.toISOString() },
          webhookUrl,
        })
    }
    check(sent)
  })
})

const marked = new Marked({ gfm: false })

/** The addresses of the links and images in Markdown. */
const addressesIn = (markdown: string) =>
  [...marked.parse(markdown, { async: false }).matchAll(/(?:href|src)="([^"]*)"/g)].map(
    ([, address]) => address,
  )

/** Posts the texts as titles and headlines of newsletters. */
async function postAll(adapter: typeof discord | typeof mattermost | typeof teams) {
  const { sent, provider } = recorder()
  const settings: object = { newsletter_webhook: ['https://chat.example/hook'] }
  for (const chunk of chunks)
    for (const title of chunk)
      await adapter.posting?.post({
        ...{ id: '1', channel: '', newsletter: newsletterOf(chunk, title) },
        ...{ provider, language: 'en' },
        settings: Object(settings),
      })
  expect(sent).toHaveLength(chunks.flat().length)
  return sent
}

const ping = /@(?:all|channel|everyone|here)\b|<@\w+>/i

test('Discord: newsletters notify nobody and contain no link but our own, whatever their titles are', async () => {
  for (const { content, allowed_mentions } of await postAll(discord)) {
    expect(allowed_mentions).toEqual({ parse: [] })
    expect(String(content).length).toBeLessThanOrEqual(2_000)
    expect(addressesIn(String(content))).toEqual([ownUrl])
  }
})

/** What Mattermost makes of Slack's format in the message of a webhook before it reads Markdown. */
const withSlackFormat = (text: string) =>
  text
    .replaceAll('<!channel>', '@channel')
    .replaceAll('<!here>', '@here')
    .replaceAll('<!all>', '@all')
    .replace(/<([^\n<|>]+)\|([^\n>]+)>/g, '[$2]($1)')

test('Mattermost: newsletters notify nobody and contain no link but our own, whatever their titles are', async () => {
  for (const { text } of await postAll(mattermost)) {
    const read = withSlackFormat(String(text))
    expect(read).not.toMatch(ping)
    expect(addressesIn(read)).toEqual([ownUrl])
  }
})

test('Mattermost: messages of the bot notify nobody and contain no link but our own, whatever people wrote', () => {
  const webhookUrl = new URL('https://tidings.test/hooks/mattermost/token')
  const settings = v.parse(mattermost.settings, { token: 'token' })
  for (const text of texts) {
    const locale = chatLocale('en', new Map([['1', text]]))
    const draft = { id: 'cb_1', version: 1, url: ownUrl }
    const content = { title: text, excerpt: text, author: text }
    const messages: OutgoingMessage[] = [
      {
        kind: 'review',
        drafts: [
          { ...draft, content, state: { kind: 'waiting' } },
          { ...draft, content, state: { kind: 'approved', by: '1' } },
        ],
      },
      {
        kind: 'published',
        newsletter: { title: text, url: ownUrl },
        contributed: [text],
        thanked: [text],
      },
      { kind: 'declined', title: text },
      { kind: 'prompt', promptId: '1', question: text, muted: { by: '1' } },
      { kind: 'reminder', promptId: '1', question: text },
    ]
    for (const message of messages) {
      const signer = { settings, webhookUrl, message: '1' }
      const post = postOf(messageContent(message, locale), locale, signer)
      for (const read of [post.message, ...post.attachments.map((one) => one.text)]) {
        expect(read).not.toMatch(ping)
        expect(new Set(addressesIn(read)).isSubsetOf(new Set([ownUrl]))).toBeTrue()
      }
    }
  }
})

test('Teams: the cards of newsletters contain no link but our own, whatever their titles are', async () => {
  for (const { attachments } of await postAll(teams)) {
    const [{ content: card }] = Object(attachments)
    expect(card.actions).toEqual([
      { type: 'Action.OpenUrl', title: expect.any(String), url: ownUrl },
    ])
    const [cover, ...texts] = card.body
    // Its description is plain text.
    expect(cover).toMatchObject({ type: 'Image', url: ownUrl })
    expect(cover.altText).not.toMatch(/@\w/)
    for (const { type, text } of texts) {
      expect(type).toBe('TextBlock')
      expect(addressesIn(text)).toEqual([])
    }
  }
})
