import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { parseMrkdwn } from '../../../integrations/kit/markdown/mrkdwn.ts'
import { firstLineTitle } from '../../../integrations/kit/text/plain-text.ts'
import { adapter } from '../../../integrations/slack/adapter.ts'
import { growthOf, maxLinearGrowth } from '../../support/growth.ts'

describe("Slack's markup", () => {
  test.each([
    ['plain', ['plain']],
    ['Hi <@U1>', ['Hi ', { person: 'U1' }]],
    ['<@W1|mira>!', [{ person: 'W1', label: 'mira' }, '!']],
    ['<#C1|wins> <#C2> <#C3|>', ['#wins', ' ', 'a channel', ' ', 'a channel']],
    ['<!channel> <!here|@here> <!everyone>', [' ', ' ']],
    ['<!subteam^S1|@design> <!subteam^S2>', ['design', ' ', 'a group']],
    ['<!date^1392734382^{date}|18 Feb>', ['18 February 2014']],
    ['<https://a.test|notes>', ['[notes](https://a.test)']],
    ['<https://a.test> <https://a.test|https://a.test>', ['https://a.test', ' ', 'https://a.test']],
    ['<mailto:a@b.test|a@b.test>', ['a@b.test']],
    ['1 &lt; 2 &amp;&amp; 3 &gt; 2', ['1 < 2 && 3 > 2']],
    ['&amp;lt;', ['&lt;']],
    ['&lt;@U1&gt;', [{ person: 'U1' }]],
    ['<b> <@lower> <@U1 <', ['<b> ', '<@lower>', ' <@U1 <']],
    ['', []],
  ])('the Slack markup %j is split into its parts', (raw, pieces) => {
    expect(parseMrkdwn(raw, 'en')).toEqual(pieces)
  })

  test.each(['<@U', '<https://', '<!', '&lt;@U1|', '<#C1|a'])(
    'the time for unclosed Slack markup %s grows with its length only',
    async (unclosed) => {
      const growth = await growthOf((size) => parseMrkdwn(unclosed.repeat(size), 'en'), 1_000)
      expect(growth).toBeLessThan(maxLinearGrowth)
    },
  )
})

describe('titles made from a text', () => {
  test.each([
    ['One\nTwo', 'One'],
    ['\n \u202e\nOne', 'One'],
    ['a\tb  c', 'a b c'],
    ['x'.repeat(100), `${'x'.repeat(79)}…`],
    [`${'word '.repeat(20)}`, `${'word '.repeat(16).trim()}…`],
    [`${'👩‍👩‍👧'.repeat(40)}`, `${'👩‍👩‍👧'.repeat(15)}…`],
  ])('the title of the text %j is its first visible line, cut at 80 characters', (text, title) => {
    expect(firstLineTitle(text)).toBe(title)
  })
})

describe('Slack: settings', () => {
  const needed = { signing_secret: 'a', bot_token: 'xoxb-1' }

  test('the Slack settings need two secrets and nothing else', () => {
    expect(v.parse(adapter.settings, needed)).toEqual({
      signing_secret: ['a'],
      bot_token: ['xoxb-1'],
      api_base_url: 'https://slack.com/api/',
      reaction: 'rolled_up_newspaper',
      without_ai: false,
      review_digest: 'immediately',
      mute_contributors: false,
      quiet_hours: '20:00-08:00',
      time_zone: 'UTC',
    })
  })

  test.each([
    [{ ...needed, workspace_id: 'acme' }, 'must be a workspace id such as T0123ABCD, not its name'],
    [{ ...needed, app_id: 'Tidings' }, 'must be an app id such as A0123ABCD'],
    [{ ...needed, api_base_url: 'slack.com' }, 'must be an http or https address'],
    [
      { ...needed, signing_secret: '' },
      'must be a value, or a list of two while it is being rotated',
    ],
  ])('the error for the Slack settings %j says what is wrong', (settings, message) => {
    const parsed = v.safeParse(adapter.settings, settings)
    expect(parsed.issues?.map((issue) => issue.message)).toEqual([message])
  })
})

test('the Slack app manifest contains the addresses of the connection', () => {
  const webhookUrl = 'https://news.acme.test/hooks/slack/cn_1'
  const text = adapter.setup?.({ webhookUrl, base: 'https://news.acme.test' }) ?? ''
  const manifest = JSON.parse(text)
  expect(text).not.toMatch(/\{\w+\}/)
  expect(manifest.features.slash_commands.map(({ url }: { url: string }) => url)).toEqual(
    Array(5).fill(webhookUrl),
  )
  expect(manifest.settings.interactivity).toMatchObject({
    request_url: webhookUrl,
    message_menu_options_url: webhookUrl,
  })
  expect(manifest.display_information.long_description).toContain('https://news.acme.test,')
})

test('the Slack app manifest of an installation without an https address has Socket Mode and no address for requests', () => {
  const base = 'http://localhost:3000'
  const text = adapter.setup?.({ webhookUrl: `${base}/hooks/slack/cn_1`, base }) ?? ''
  const { features, settings } = JSON.parse(text)
  expect(text).not.toContain('/hooks/')
  expect(settings).toMatchObject({ socket_mode_enabled: true, interactivity: { is_enabled: true } })
  expect(settings.event_subscriptions.bot_events).toContain('message.im')
  expect(features.slash_commands).toHaveLength(5)
})
