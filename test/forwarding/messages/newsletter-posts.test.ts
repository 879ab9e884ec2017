import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { adapter as discord } from '../../../integrations/discord/adapter.ts'
import type { Adapter } from '../../../integrations/kit/adapter.ts'
import { adapter as mattermost } from '../../../integrations/mattermost/adapter.ts'
import { adapter as slackAdapter } from '../../../integrations/slack/adapter.ts'
import { adapter as teams } from '../../../integrations/teams/adapter.ts'
import {
  createConnection,
  deleteConnection,
  updateConnection,
} from '../../../src/features/connections/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { transaction } from '../../../src/lib/database/db.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { retryJobsOf } from '../../support/chats/chat-rows.ts'
import { signedIn } from '../../support/console.ts'
import { countLockWaits } from '../../support/database/lock-waits.ts'
import { untilNothingIsSent } from '../../support/jobs.ts'
import { followLive } from '../../support/live.ts'
import { blockOf, newsletterOf, send, unlimitedClient } from '../../support/newsletters.ts'
import { requireBlockKit } from '../../support/slack/block-kit.ts'
import { botToken, jsonOf, startSlack } from '../../support/slack/slack.ts'
import { until } from '../../support/until.ts'

const slack = startSlack()
/** Messages at incoming webhooks, and how the chat responds to the next one. */
const messages: { path: string; body: unknown; at: number }[] = []
let respond: () => Response | Promise<Response> = () => new Response('ok')
const chat = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    const at = performance.now()
    messages.push({ path: new URL(request.url).pathname, body: await request.json(), at })
    return await respond()
  },
})

let app: TestApp
beforeAll(async () => {
  app = await startApp({ adapters: [slackAdapter, mattermost, discord, teams] })
})
afterAll(async () => {
  await app.close()
  await slack.stop()
  await chat.stop(true)
})
beforeEach(async () => {
  await untilNothingIsSent(app)
  slack.calls.length = 0
  slack.failures.clear()
  messages.length = 0
  respond = () => new Response('ok')
})

const webhook = `http://127.0.0.1:${chat.port}/hooks/channel`
/** A port at which no program listens. */
const nowhere = { newsletter_webhook: 'http://127.0.0.1:1/hooks/channel' }
const settings: Record<string, object> = {
  slack: {
    signing_secret: 'a secret',
    bot_token: botToken,
    api_base_url: slack.apiUrl,
    newsletter_channel: 'C0NEWS',
  },
  mattermost: { token: 'a token', newsletter_webhook: webhook },
  discord: { public_key: 'a'.repeat(64), newsletter_webhook: webhook },
  teams: { security_token: 'c2VjcmV0', newsletter_webhook: webhook },
}

/** A sent newsletter of a team that has connected a chat, and its editor. */
async function sentNewsletter(
  adapter: Adapter,
  titles = ['Harbour Bank stays'],
  changes: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
) {
  const team = await app.team()
  const editor = await signedIn(app, team, 'editor')
  const call = await unlimitedClient(app, team)
  if ('cover_image_url' in changes) await call('PATCH', '/team', { archive: 'link' })
  const blocks: string[] = []
  for (const title of titles) blocks.push(await blockOf(call, { title }))
  const path = await newsletterOf(call, blocks, { title: 'November <!channel> *news*', ...changes })
  await send(call, path)
  const given = { ...settings[adapter.slug], ...more }
  const { id } = await createConnection(systemContext(app.forwarder, team.id), { adapter, given })
  await editor.get(`${path}/export`)
  const post = () => editor.post(`${path}/posts`, { connection: id })
  const page = async () => (await editor.get(`${path}/export`)).html
  return { team, editor, call, path, id, post, page }
}

test('a sent newsletter is posted to the Slack channel once, with its headlines and without mentions', async () => {
  const titles = Array.from({ length: 12 }, (_, n) => `Headline ${n + 1} <@U0MIRA>`)
  const { post, page } = await sentNewsletter(slackAdapter, titles)
  expect(await page()).toContain('Post to a chat')
  await Promise.all([post(), post()])
  await until(async () => (await page()).includes('Posted'))
  const posted = slack.callsOf('chat.postMessage')
  expect(posted).toHaveLength(1)
  expect(posted[0]?.fields['channel']).toBe('C0NEWS')
  expect(posted[0]?.fields['text']).toBe('November &lt;!channel&gt; *news*')
  const [header, list] = jsonOf(posted[0], 'blocks')
  expect(header.text).toEqual({
    type: 'plain_text',
    text: 'November <!channel> *news*',
    emoji: false,
  })
  const items = list.elements[0].elements
  expect(items).toHaveLength(11)
  expect(items[0].elements).toEqual([{ type: 'text', text: 'Headline 1 <@U0MIRA>' }])
  expect(items[10].elements[0].text).toBe('and 2 more')
  expect(await page()).not.toContain('Post again')
})

const cover = {
  cover_image_url: 'https://news.example.com/media/office.jpg',
  cover_image_alt: 'The office',
}

test('a newsletter in Slack begins with its cover and ends with the link, and is posted without a cover that Slack cannot fetch', async () => {
  slack.answers.set('chat.postMessage', () =>
    slack.callsOf('chat.postMessage').length === 2
      ? { ok: false, error: 'invalid_blocks' }
      : { ok: true },
  )
  try {
    for (const count of [1, 3]) {
      const { post, page } = await sentNewsletter(slackAdapter, ['Harbour Bank stays'], cover)
      await post()
      await until(async () => (await page()).includes('Posted'))
      expect(slack.callsOf('chat.postMessage')).toHaveLength(count)
    }
    const [first, refused, second] = slack
      .callsOf('chat.postMessage')
      .map((call) => jsonOf(call, 'blocks'))
    requireBlockKit(first)
    expect(first[0]).toMatchObject({
      type: 'image',
      image_url: cover.cover_image_url,
      alt_text: 'The office',
    })
    const typesOf = (blocks: { type: string }[]) => blocks.map(({ type }) => type)
    expect(typesOf(first)).toEqual(['image', 'header', 'rich_text', 'actions'])
    expect(first[3].elements[0]).toMatchObject({ url: expect.stringContaining('/archive/') })
    expect(typesOf(refused)).toEqual(typesOf(first))
    expect(typesOf(second)).toEqual(['header', 'rich_text', 'actions'])
  } finally {
    slack.answers.clear()
  }
})

test.each<[Adapter, RegExp]>([
  [
    mattermost,
    /^\{"text":"\*\*November \\\\<!channel\\\\> \\\\\*news\\\\\*\*\*\\n- Harbour Bank stays/,
  ],
  [discord, /"allowed_mentions":\{"parse":\[\]\}/],
  [teams, /"contentType":"application\/vnd\.microsoft\.card\.adaptive"/],
])(
  'a sent newsletter is posted to a channel of $name with its cover, and without one that is refused',
  async (adapter, expected) => {
    const { post, page } = await sentNewsletter(adapter, ['Harbour Bank stays'], cover)
    respond = () => new Response('', { status: messages.length === 1 ? 400 : 200 })
    await post()
    await until(async () => (await page()).includes('Posted'))
    const [refused, posted] = messages.map(({ body }) => JSON.stringify(body))
    expect(messages).toHaveLength(2)
    expect(refused).toContain(`"${cover.cover_image_url}"`)
    expect(posted).not.toContain(cover.cover_image_url)
    expect(posted).toMatch(expected)
    expect(posted).toContain('Harbour Bank stays')
  },
)

/** Texts that are mentions, links or markup in one of the chats; a post shows ten headlines. */
const chatTexts = [
  ...['<!channel>', '<!everyone|all>', '<@U0MIRA>', '<#C0NEWS>', '@everyone @here @all'],
  ...['<@&123456789>', '<at>Mira</at>', '[bank](https://evil.example)', '# heading', '`code`'],
]

test('a newsletter in a chat mentions nobody and has no markup of its headlines', async () => {
  for (const adapter of [slackAdapter, mattermost, discord, teams]) {
    const { post, page } = await sentNewsletter(adapter, chatTexts)
    await post()
    await until(async () => (await page()).includes('Posted'))
  }
  const [list] = jsonOf(slack.callsOf('chat.postMessage')[0], 'blocks').slice(1)
  const items = list.elements[0].elements
  expect(items.map((item: { elements: unknown[] }) => item.elements)).toEqual(
    chatTexts.map((text) => [{ type: 'text', text }]),
  )
  expect(messages).toHaveLength(3)
  for (const { body } of messages) {
    const text = JSON.stringify(body).replaceAll('\\\\', '\\')
    expect(text).not.toMatch(/@\w|@&|(?<!\\)<[!@#a]|(?<!\\)\]\(|(?<!\\)`|- # /)
    expect(text).toContain('Mira')
  }
})

test('a newsletter is posted to each channel of the settings once, and to no other channel', async () => {
  const channels = { newsletter_channel: 'C0NEWS, C0ALL' }
  const { editor, path, id, page } = await sentNewsletter(slackAdapter, ['One'], {}, channels)
  expect(await page()).toMatch(/Slack, C0NEWS[\s\S]*Slack, C0ALL/)
  const post = (channel: string) => editor.post(`${path}/posts`, { connection: id, channel })
  await Promise.all(['C0NEWS', 'C0ALL', 'C0NEWS', 'C0ALL'].map(post))
  expect((await post('C0OTHER')).status).toBe(404)
  await until(async () => (await page()).match(/>Posted</g)?.length === 2)
  const posted = slack.callsOf('chat.postMessage').map(({ fields }) => fields['channel'])
  expect(posted.toSorted()).toEqual(['C0ALL', 'C0NEWS'])
})

test('a newsletter that the chat refuses says so on its open page, with what to do, and can be posted again', async () => {
  const { post, page, editor, path } = await sentNewsletter(slackAdapter)
  const live = await followLive(app.base, editor, path)
  await live.until('event: viewers')
  slack.failures.set('chat.postMessage', 'refusing')
  await post()
  await live.until('event: posts')
  await live.cancel()
  expect(await page()).toContain('Not posted')
  expect(await page()).toContain('Slack refused the request (missing_scope).')
  slack.failures.clear()
  await post()
  await until(async () => (await page()).includes('Posted'))
  expect(slack.callsOf('chat.postMessage')).toHaveLength(2)
})

const limited = (seconds: number) => () =>
  new Response('', { status: 429, headers: { 'retry-after': String(seconds) } })

test('a newsletter waits as long as the rate limit of the chat says, unless an editor cancels that', async () => {
  const { post, page, team, editor, path, id } = await sentNewsletter(mattermost)
  respond = limited(3600)
  await post()
  await until(async () => messages.length === 1)
  const waiting = () => app.sql`
    select start_after > now() + interval '50 minutes' as late from pgboss.job
    where name = 'post-newsletter' and state = 'retry' and data->>'teamId' = ${team.id}`
  await until(async () => (await waiting())[0]?.['late'] === true)
  expect(await page()).toContain('limits our requests')
  // An attempt before that time makes no request.
  await app.sql`update pgboss.job set start_after = now() where data->>'teamId' = ${team.id}`
  await until(async () => (await waiting())[0]?.['late'] === true)
  expect(messages).toHaveLength(1)
  await editor.post(`${path}/posts/cancel`, { connection: id })
  expect(await page()).not.toContain('limits our requests')
  await app.sql`update pgboss.job set start_after = now() where data->>'teamId' = ${team.id}`
  await untilNothingIsSent(app)
  expect(messages).toHaveLength(1)
})

test('a team whose chat does not respond delays the newsletter of no other team', async () => {
  const slow = await sentNewsletter(mattermost)
  const other = await sentNewsletter(discord)
  const { promise: released, resolve: release } = Promise.withResolvers<Response>()
  respond = () => (messages.length === 1 ? released : new Response('ok'))
  try {
    await slow.post()
    await until(async () => messages.length === 1)
    await other.post()
    await until(async () => (await other.page()).includes('Posted'))
    expect(await slow.page()).not.toContain('Posted')
  } finally {
    release(new Response('ok'))
  }
  await until(async () => (await slow.page()).includes('Posted'))
})

test('the newsletters of one channel keep the interval of its chat', async () => {
  const { call, editor, id } = await sentNewsletter(mattermost)
  const paths: string[] = []
  for (const title of ['One', 'Two', 'Three']) {
    const path = await newsletterOf(call, [await blockOf(call, { title })], { title })
    await send(call, path)
    paths.push(path)
  }
  await Promise.all(paths.map((path) => editor.post(`${path}/posts`, { connection: id })))
  await until(async () => messages.length === 3)
  const [first = 0, second = 0, third = 0] = messages.map(({ at }) => at)
  const shortest = Math.min(second - first, third - second)
  // A request may take longer to arrive than the next one.
  expect(shortest).toBeGreaterThan((mattermost.messaging?.intervalMs ?? Number.NaN) / 2)
})

test.each([mattermost, discord, teams])(
  'a newsletter for a webhook of $name waits while it cannot be reached or limits requests, is repeated by a person only after a refusal or without a confirmation, and the page says each',
  async (adapter) => {
    const { post, page, team, id } = await sentNewsletter(adapter, ['One'], {}, nowhere)
    const shows = (text: string) =>
      until(async () => {
        await retryJobsOf(app, team)
        return (await page()).includes(text)
      })
    await post()
    await shows('could not be reached')
    const given = { newsletter_webhook: webhook }
    respond = limited(1)
    const ctx = systemContext(app.forwarder, team.id)
    await updateConnection({ ...ctx, ...app.forwarder }, { adapter, id, given })
    await shows('limits our requests')
    // The webhook of the channel was removed.
    respond = () => new Response('', { status: 404 })
    await shows('Not posted')
    expect(await page()).toContain('Create the webhook of the channel again')
    const refused = messages.length
    respond = () => new Response('', { status: 502 })
    await post()
    await shows('Not confirmed</span>')
    expect(await page()).toContain('Look in the channel')
    expect(messages).toHaveLength(refused + 1)
    respond = () => new Response('ok')
    await post()
    await shows('Posted')
    expect(messages).toHaveLength(refused + 2)
  },
)

test('an attempt that was interrupted by the end of the process is not repeated', async () => {
  const { post, page, team } = await sentNewsletter(mattermost)
  // The state that a process leaves which dies while it posts.
  await app.sql`
    create or replace function interrupt_posts() returns trigger language plpgsql as
    $$ begin new.status = 'posting'; return new; end $$`
  await app.sql`
    create or replace trigger interrupt before insert on newsletter_posts
    for each row execute function interrupt_posts()`
  await post()
  await app.sql`drop trigger interrupt on newsletter_posts`
  await until(async () => (await page()).includes('Not confirmed</span>'))
  expect(messages).toHaveLength(0)
  expect(await page()).toContain('Post again')
  const states = await until(async () => {
    const jobs = await app.sql<{ state: string }[]>`
      select state from pgboss.job where name = 'post-newsletter' and data->>'teamId' = ${team.id}`
    return jobs.every(({ state }) => state !== 'active') && jobs.map(({ state }) => state)
  })
  expect(states).toEqual(['completed'])
})

test('only editors post, only sent newsletters, and only through connections of their team', async () => {
  const { team, editor, call, path, id } = await sentNewsletter(mattermost)
  const viewer = await signedIn(app, team, 'viewer')
  await viewer.get(path)
  expect((await viewer.post(`${path}/posts`, { connection: id })).status).toBe(403)
  const other = await sentNewsletter(mattermost)
  expect((await editor.post(`${path}/posts`, { connection: other.id })).status).toBe(404)
  const draft = await newsletterOf(call, [await blockOf(call)])
  await editor.post(`${draft}/posts`, { connection: id })
  expect((await editor.get(`${draft}/export`)).html).toContain('Mark the newsletter as sent first')
  expect(messages).toHaveLength(0)
})

test('“Mark as sent” cannot be undone once the newsletter was posted', async () => {
  const { editor, path, post, page } = await sentNewsletter(mattermost)
  await post()
  await until(async () => (await page()).includes('Posted'))
  await editor.post(`${path}/undo-send`)
  expect(await page()).toContain('It was posted to a chat, so this cannot be undone.')
})

/** A time that a form sends, some hours from now in UTC. */
const inHours = (hours: number) =>
  new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 16)

/** The queue starts planned jobs at once. */
const startNow = ({ id }: { id: string }) =>
  app.sql`update pgboss.job set start_after = now() where data->>'teamId' = ${id}`

test('a newsletter is posted at the time that an editor has chosen, and not before', async () => {
  const { editor, path, id, page, team } = await sentNewsletter(slackAdapter)
  await editor.post(`${path}/posts`, { connection: id, at: inHours(5) })
  expect(await page()).toContain('Planned')
  const [job] = await app.sql`
    select round(extract(epoch from start_after - now()) / 3600)::integer as hours from pgboss.job
    where data->>'teamId' = ${team.id} and name = 'post-newsletter'`
  expect(job?.['hours']).toBe(5)
  expect(slack.callsOf('chat.postMessage')).toHaveLength(0)
  await startNow(team)
  await until(async () => (await page()).includes('Posted'))
  expect(slack.callsOf('chat.postMessage')).toHaveLength(1)
})

test('a planned post is cancelled, and the newsletter can be posted at another time', async () => {
  const { editor, path, id, page, team, post } = await sentNewsletter(slackAdapter)
  await editor.post(`${path}/posts`, { connection: id, at: inHours(5) })
  const cancelled = await editor.post(`${path}/posts/cancel`, { connection: id, channel: 'C0NEWS' })
  expect(cancelled.status).toBe(303)
  expect(await page()).not.toContain('Planned')
  await post()
  await startNow(team)
  await until(async () => (await page()).includes('Posted'))
  expect(slack.callsOf('chat.postMessage')).toHaveLength(1)
})

test('a planned post is cancelled on its page after its channel or its connection was removed, so that sending can be undone', async () => {
  const channels = { newsletter_channel: 'C0NEWS, C0ALL' }
  const { team, editor, call, path, id, page } = await sentNewsletter(
    slackAdapter,
    ['One'],
    {},
    channels,
  )
  for (const channel of ['C0NEWS', 'C0ALL'])
    await editor.post(`${path}/posts`, { connection: id, channel, at: inHours(5) })
  const ctx = { ...systemContext(app.forwarder, team.id), ...app.forwarder }
  const given = { ...settings['slack'], newsletter_channel: 'C0NEWS' }
  await updateConnection(ctx, { adapter: slackAdapter, id, given })
  const rowOf = async (name: string) =>
    (await page()).match(new RegExp(`<strong>${name}</strong>.*?</li>`, 's'))?.[0] ?? ''
  const cancel = async (name: string) => {
    const row = await rowOf(name)
    expect(row).toContain('Planned')
    expect(row).toContain('Cancel')
    const [connection = '', channel = ''] = [...row.matchAll(/value="([^"]*)"/g)]
      .map(([, value]) => value)
      .slice(-2)
    await editor.post(`${path}/posts/cancel`, { connection, channel })
    expect(await rowOf(name)).not.toContain('Planned')
  }
  await cancel('Slack, C0ALL')
  expect(await rowOf('Slack, C0ALL')).toBe('')
  await deleteConnection(ctx, id)
  await cancel('Removed connection, C0NEWS')
  await editor.post(`${path}/undo-send`)
  expect((await call('GET', path)).json.newsletter.status).toBe('ready')
})

test('sending is undone only after a planned post was cancelled', async () => {
  const { editor, path, id, call, page } = await sentNewsletter(slackAdapter)
  await editor.post(`${path}/posts`, { connection: id, at: inHours(5) })
  await editor.post(`${path}/undo-send`)
  expect(await page()).toContain('A post to a chat is planned. Cancel it on Export first.')
  expect((await call('GET', path)).json.newsletter.status).toBe('sent')
  await editor.post(`${path}/posts/cancel`, { connection: id, channel: 'C0NEWS' })
  await editor.post(`${path}/undo-send`)
  expect((await call('GET', path)).json.newsletter.status).toBe('ready')
})

test('a newsletter is not posted when its sending is undone at the same moment', async () => {
  const { editor, path, id, team, page } = await sentNewsletter(slackAdapter)
  const posting = await transaction(app.sql, async (tx) => {
    await tx`
      update newsletters set status = 'ready', sent_at = null, sent_html = null, sent_text = null
      where team_id = ${team.id}`
    const started = editor.post(`${path}/posts`, { connection: id, at: inHours(5) })
    await until(async () => (await countLockWaits(app.sql)) > 0)
    return { started }
  })
  await posting.started
  expect(await page()).toContain('Mark the newsletter as sent first')
  expect(await app.sql`select id from newsletter_posts where team_id = ${team.id}`).toHaveLength(0)
})

test.each([
  ['in the past', inHours(-2)],
  ['in a year', inHours(24 * 365)],
  ['no time', '2026-13-45T99:99'],
])('a newsletter is not planned for a time that is %s', async (_, at) => {
  const { editor, path, id, team, page } = await sentNewsletter(slackAdapter)
  await editor.post(`${path}/posts`, { connection: id, at })
  expect(await page()).toContain('Choose a time within the next 60 days.')
  expect(await app.sql`select id from newsletter_posts where team_id = ${team.id}`).toHaveLength(0)
})
