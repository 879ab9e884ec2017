import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import * as v from 'valibot'
import { adapter as feed } from '../../../integrations/feed/adapter.ts'
import { adapter as github } from '../../../integrations/github/adapter.ts'
import { sign } from '../../../integrations/github/fixtures/sign.ts'
import { adapter as gitlab } from '../../../integrations/gitlab/adapter.ts'
import { loadAdapters } from '../../../integrations/index.ts'
import { adapter as slack } from '../../../integrations/slack/adapter.ts'
import { adapter as standardWebhooks } from '../../../integrations/standard-webhooks/adapter.ts'
import { inputOf, secret } from '../../../src/contract/settings.ts'
import { blockTypes } from '../../../src/contract/vocabulary.ts'
import { createConnection } from '../../../src/features/connections/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { createSsrfFetch } from '../../../src/lib/outbound/ssrf-fetch.ts'
import { loadIntegrationCatalog } from '../../../src/webhooks/index.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { inspect } from '../../support/browser/axe.ts'
import { openBrowser, signInBrowser } from '../../support/browser/browser.ts'
import { member, signedIn } from '../../support/console.ts'
import { until } from '../../support/until.ts'

let app: TestApp
let browser: Browser
let release: { headers: Record<string, string>; body: object }
beforeAll(async () => {
  app = await startApp({ adapters: [github] })
  browser = await openBrowser()
  const samples = new URL('../../../integrations/github/fixtures/', import.meta.url)
  release = await Bun.file(new URL('release.published.json', samples)).json()
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

/** Sends a release as GitHub does, to the address that a page shows. */
async function publish(address: string, secret: string, body: object = release.body) {
  const text = JSON.stringify(body)
  const id = { 'x-github-delivery': crypto.randomUUID() }
  const headers = { ...release.headers, ...id, ...(await sign(text, { secret })) }
  const { pathname } = new URL(address)
  return await fetch(app.base + pathname, { method: 'POST', body: text, headers })
}

const webhookUrlOnPage = (html: string) => /id="webhook-url" value="([^"]+)"/.exec(html)?.[1] ?? ''

/** An admin's new connection to GitHub. */
async function connect(team: Team, fields: Record<string, string | string[]> = {}) {
  const admin = await signedIn(app, team, 'admin')
  await admin.get('/integrations/connect/github')
  const { location } = await admin.post('/integrations/connect/github', fields)
  const path = location ?? ''
  const { html } = await admin.get(path)
  return { admin, path, html, address: webhookUrlOnPage(html) }
}

describe('Connecting a provider', () => {
  test('a generated secret is shown once and verifies webhook requests', async () => {
    const { admin, path, html, address } = await connect(await app.team())
    expect(address).toStartWith('http://tidings.test/hooks/github/')
    expect(html).toContain('Waiting for the first event')
    const shown = await admin.post(`${path}/reveal`)
    const secret = /id="secret-secret" value="([0-9a-f]{64})"/.exec(shown.html)?.[1] ?? ''
    expect((await publish(address, secret)).status).toBe(200)
    for (const seen of [await admin.get(path), await admin.post(`${path}/reveal`)])
      expect(seen.html).not.toContain(secret)
    expect(app.logLines.join('\n')).not.toContain(secret)
  })

  test('once a generated secret was shown, the connection says how to continue without it', async () => {
    const { admin, path, html } = await connect(await app.team())
    const lost = `If you no longer have it, enter another one in the <a href="${path}/settings">settings</a>`
    expect(html).not.toContain(lost)
    expect((await admin.post(`${path}/reveal`)).html).not.toContain(lost)
    expect((await admin.get(path)).html).toContain(lost)
  })

  test('the page of a connection names only the secrets that it has', async () => {
    const entries = { ...github.settings.entries, second_secret: v.optional(secret({ own: true })) }
    const own = await startApp({ adapters: [{ ...github, settings: v.object(entries) }] })
    const team = await own.team()
    const ctx = systemContext(own.forwarder, team.id)
    const { id } = await createConnection(ctx, { adapter: github, given: { secret: 's' } })
    const { html } = await (await signedIn(own, team, 'admin')).get(`/integrations/${id}`)
    expect(html).toContain('If you no longer have it')
    expect(html).not.toMatch(/second.secret/i)
    await own.close()
  })

  test('the GitHub form and its guide both ask about private repositories', async () => {
    const admin = await signedIn(app, await app.team(), 'admin')
    const { html } = await admin.get('/integrations/connect/github')
    expect(html).toContain('Include private and internal repositories')
    expect(html).toContain('Decide whether private and internal repositories become blocks')
    expect(html).not.toContain('openssl')
  })

  test('the guide of Standard Webhooks shows a map that the form accepts as it is', async () => {
    const own = await startApp({ adapters: [standardWebhooks] })
    const admin = await signedIn(own, await own.team(), 'admin')
    const page = '/integrations/connect/standard-webhooks'
    const { html } = await admin.get(page)
    expect(html).toContain('How to connect Standard Webhooks')
    const shown = [...html.matchAll(/<pre><code[^>]*>([^<]+)<\/code>/g)].map(
      ([, code]) => code ?? '',
    )
    const map = shown.find((code) => code.includes('$.data.release.name')) ?? ''
    const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
    const fields = { secret, map: map.replaceAll('&quot;', '"') }
    const { location } = await admin.post(page, fields)
    expect((await admin.get(location ?? '')).html).toContain('<h2 id="guide">Next steps</h2>')
    await own.close()
  })

  test('the guide beside the form has the labels of its fields, and after connecting the address and what is left', async () => {
    const admin = await signedIn(app, await app.team(), 'admin')
    const before = (await admin.get('/integrations/connect/github')).html
    expect(before).toContain('turn on <strong>Include private and internal repositories</strong>')
    expect(before).toContain('Fill in the form on this page and press Connect.')
    expect(before).not.toContain('<code>url</code>')
    const { html, address } = await connect(await app.team(), {})
    expect(html).toContain(`<strong>Payload URL</strong>: <code>${address}</code>.`)
    expect(html).toContain('<ol start="3">')
    expect(html).not.toContain('Fill in the form on this page')
    expect(html).not.toContain('from step 2')
    expect(html).toContain('<strong>Secret</strong>: the secret above.')
  })

  test('a connection form marks the fields that are required before it is submitted', async () => {
    const chats = await startApp({ adapters: [slack, github] })
    try {
      const admin = await signedIn(chats, await chats.team(), 'admin')
      const { html } = await admin.get('/integrations/connect/slack')
      const field = (name: string) => new RegExp(`<input id="${name}"[^>]*>`).exec(html)?.[0]
      expect(field('bot_token')).toContain(' required')
      expect(html).toMatch(/id="bot_token-hint">Required\. /)
      expect(field('app_token')).not.toContain(' required')
      const own = (await admin.get('/integrations/connect/github')).html
      expect(own).not.toMatch(/<input id="secret"[^>]* required/)
    } finally {
      await chats.close()
    }
  })

  test('a new connection asks for what it needs, and collapses its options until one of them has an error', async () => {
    const chats = await startApp({ adapters: [slack] })
    try {
      const admin = await signedIn(chats, await chats.team(), 'admin')
      const { html } = await admin.get('/integrations/connect/slack')
      const options = '<details><summary>Options for Slack</summary>'
      expect(html.indexOf('id="bot_token"')).toBeLessThan(html.indexOf('id="app_token"'))
      // Who chooses Socket Mode needs it.
      expect(html.indexOf('id="app_token"')).toBeLessThan(html.indexOf(options))
      expect(html.indexOf(options)).toBeLessThan(html.indexOf('id="review_channel"'))
      expect(html).toMatch(/<select id="review_digest"[^>]*>.*<option value="hourly">Every hour</s)
      expect(html).toContain('<details><summary>One app for several teams</summary>')
      const refused = await admin.post('/integrations/connect/slack', {
        ...{ signing_secret: 'a'.repeat(32), bot_token: 'xoxb-1', review_channel: '#news' },
      })
      expect(refused.status).toBe(422)
      expect(refused.html).toContain(options.replace('<details>', '<details open>'))
    } finally {
      await chats.close()
    }
  })

  test('a new connection that needs one of its options shows them, and an error says what a secret looks like', async () => {
    const others = await startApp({ adapters: [gitlab] })
    try {
      const admin = await signedIn(others, await others.team(), 'admin')
      const path = '/integrations/connect/gitlab'
      const { html } = await admin.get(path)
      expect(html).toContain('<details open><summary>Options for GitLab</summary>')
      expect((await admin.post(path, {})).html).toContain(
        'Signing token is required (or, where GitLab offers none, a secret token).',
      )
      const wrong = await admin.post(path, { signing_token: 'no-token' })
      expect(wrong.html).toContain('Signing token must be whsec_ followed by base64.')
      expect(wrong.html).not.toContain('no-token')
    } finally {
      await others.close()
    }
  })

  test('a new connection to a feed says when it is read, because it has no webhook URL', async () => {
    const feeds = await startApp({ adapters: [feed] })
    try {
      const admin = await signedIn(feeds, await feeds.team(), 'admin')
      const path = '/integrations/connect/feed'
      expect((await admin.get(path)).html).toContain('Interval in minutes')
      const { location } = await admin.post(path, { url: 'https://blog.acme.test/feed' })
      const { html } = await admin.get(location ?? '')
      expect(html).toContain('RSS/Atom is connected. It is read within a minute.')
      expect(html).not.toContain('webhook URL')
    } finally {
      await feeds.close()
    }
  })

  test('the summaries of integrations name block types as people see them', async () => {
    const types = new RegExp(blockTypes.filter((type) => type.includes('_')).join('|'))
    for (const { slug, page } of loadIntegrationCatalog(await withoutApps()))
      for (const language of ['en', 'de'])
        expect([slug, types.exec((await page(language)).summary)?.[0]]).toEqual([slug, undefined])
  })

  test('an example is called by what happens at the provider, not by the name of its file', async () => {
    const { admin, path } = await connect(await app.team(), {})
    const { html } = await admin.get(`${path}/try`)
    expect(html).toContain('>A milestone is closed (only the required fields)</a>')
    expect(html).not.toContain('>milestone.closed')
  })

  test('a typed secret is used and never shown again', async () => {
    const { admin, path, html, address } = await connect(await app.team(), {
      secret: 'canary-77',
    })
    expect((await publish(address, 'canary-77')).status).toBe(200)
    const pages = [path, `${path}/settings`, `${path}/try`, '/settings/audit', '/integrations']
    const texts = await Promise.all(pages.map(async (page) => (await admin.get(page)).html))
    for (const text of [html, ...texts]) expect(text).not.toContain('canary-77')
  })

  test('an invalid connection form shows errors at its fields and keeps all values except secrets', async () => {
    const admin = await signedIn(app, await app.team(), 'admin')
    const fields = { secret: 'canary-78', event_slug: 'Not A Slug' }
    const { status, html } = await admin.post('/integrations/connect/github', fields)
    expect(status).toBe(422)
    expect(html).toContain('id="event_slug-error"')
    expect(html).toContain('value="Not A Slug"')
    expect(html).not.toContain('canary-78')
    const unknown = { secret: 'canary-78', 'events[]': ['release.publsihed'] }
    expect((await admin.post('/integrations/connect/github', unknown)).html).toContain(
      'id="events-error"',
    )
    expect((await admin.get('/integrations')).html).not.toContain('Waiting for')
  })
})

describe('The page of a connection', () => {
  test('changing settings keeps a secret that is left empty', async () => {
    const { admin, path, address } = await connect(await app.team(), { secret: 'stays' })
    const change = { secret: '', repositories: 'acme/web', allow_private: 'on' }
    expect((await admin.post(`${path}/settings`, change)).status).toBe(303)
    const { html } = await admin.get(`${path}/settings`)
    expect(html).toContain('value="acme/web"')
    expect((await publish(address, 'stays')).status).toBe(200)
    await admin.post(`${path}/settings`, { secret: '', repositories: '' })
    expect((await admin.get(`${path}/settings`)).html).not.toContain('value="acme/web"')
    expect((await admin.get('/settings/audit')).html).toContain(
      'Changed the settings of a connection</span>',
    )
  })

  test('the events of a provider are chosen by checkboxes with what happens, and stored patterns and events that an update removed are kept', async () => {
    const { admin, path } = await connect(await app.team(), { secret: 'right' })
    const id = path.split('/').at(-1) ?? ''
    const chosen = async () => {
      const { html } = await admin.get(`${path}/settings`)
      return [...html.matchAll(/name="events\[\]"[^>]* value="([^"]+)"[^>]* checked/g)].map(
        ([, name]) => name,
      )
    }
    const stored = async () => {
      const [row] =
        await app.sql`select settings ->> 'events' as events from connections where id = ${id}`
      return row?.['events']
    }
    const save = async (...events: string[]) =>
      expect(
        (await admin.post(`${path}/settings`, { secret: '', 'events[]': events })).status,
      ).toBe(303)
    const all = [
      'release.published',
      'release.released',
      'release.edited',
      'milestone.closed',
      'public',
    ]
    expect((await admin.get(`${path}/settings`)).html).toContain('A pre-release becomes a release')
    expect(await chosen()).toEqual(all)
    await save('public', 'milestone.closed')
    expect([await chosen(), await stored()]).toEqual([
      ['milestone.closed', 'public'],
      'public, milestone.closed',
    ])
    await save(...all)
    expect([await chosen(), await stored()]).toEqual([all, null])

    const patterns = { events: 'release, star.created' }
    await app.sql`update connections set settings = (settings::jsonb || ${app.sql.json(patterns)})::json where id = ${id}`
    const shown = [...all.slice(0, 3), 'star.created']
    expect(await chosen()).toEqual(shown)
    await save(...shown)
    expect(await stored()).toBe('release, star.created')
    await save('public', 'star.created')
    expect(await stored()).toBe('public, star.created')
    await save('public')
    expect(await stored()).toBe('public')
  })

  test('a connection can be named and get a new key, and refused requests are explained', async () => {
    const { admin, path, address } = await connect(await app.team(), { secret: 'right' })
    const named = { secret: '', connection_label: 'Web team' }
    expect((await admin.post(`${path}/settings`, named)).status).toBe(303)
    await admin.post(`${path}/rotate-key`)
    await publish(address, 'wrong')
    const { html } = await admin.get(path)
    expect(html).toContain('GitHub: Web team')
    expect(html).toContain('Check the secret')
    expect((await admin.get('/integrations')).html).toContain('Failing')
    expect((await admin.get('/settings/audit')).html).toContain(
      'Replaced the key of a connection</span>',
    )
  })

  test('two secrets are valid while one is being replaced, and one after the next change', async () => {
    const { admin, path, address } = await connect(await app.team(), { secret: 'first' })
    const works = async (secret: string) => (await publish(address, secret)).status === 200
    await admin.post(`${path}/settings`, { secret: 'second', 'keep_previous[]': ['secret'] })
    expect([await works('first'), await works('second')]).toEqual([true, true])
    await admin.post(`${path}/settings`, { secret: 'third' })
    expect([await works('first'), await works('second'), await works('third')]).toEqual([
      ...[false, false, true],
    ])
  })

  test('deliveries are listed with their reasons and can be filtered by status', async () => {
    const { admin, path, address } = await connect(await app.team(), {
      secret: 's',
      'events[]': ['milestone.closed'],
    })
    await publish(address, 's')
    expect((await admin.get(path)).html).toContain('not on the list of this connection (events)')
    expect((await admin.get(`${path}?status=failed`)).html).toContain('<p>No deliveries.</p>')
    expect((await admin.get(`${path}?outcome=ignored`)).html).not.toContain('<p>No deliveries.</p>')
  })

  test('deliveries are listed with the titles of their blocks, as on their own pages, and say when a block was deleted', async () => {
    const { admin, path, address } = await connect(await app.team(), { secret: 's' })
    await publish(address, 's')
    const titleLink = /<a href="(\/library\/cb_\w+)">tideline 2\.0 “Spring tide” is out<\/a>/
    const [, block = ''] = await until(async () => titleLink.exec((await admin.get(path)).html))
    const delivery =
      /\/integrations\/deliveries\/dl_\w+/.exec((await admin.get(path)).html)?.[0] ?? ''
    expect((await admin.get(delivery)).html).toMatch(titleLink)
    await admin.post(`${block}/delete`)
    for (const page of [path, delivery]) {
      const { html } = await admin.get(page)
      expect(html).not.toContain('is out</a>')
      expect(html).toContain('This block was deleted.')
    }
  })

  test('replaying an ignored delivery creates its block', async () => {
    const { admin, path, address } = await connect(await app.team(), {
      secret: 's',
      'events[]': ['milestone.closed'],
    })
    await publish(address, 's')
    const { html } = await admin.get(path)
    const delivery = /\/integrations\/deliveries\/dl_\w+/.exec(html)?.[0] ?? ''
    expect((await admin.get(delivery)).html).toContain('Replay')
    expect((await admin.post(`${delivery}/replay`)).location).toBe(path)
    const block = await until(
      async () => /\/library\/cb_\w+/.exec((await admin.get(path)).html)?.[0],
    )
    expect((await admin.get(block)).html).toContain('tideline 2.0')
    const { html: log } = await admin.get('/settings/audit')
    expect(log).toContain('<strong>GitHub, received ')
    expect(log).not.toMatch(/<strong>[^<]*(?:\b\w\w_[0-9a-f]{32}|\dT\d\d:)/)
  })

  test('disconnecting warns about the consequences and disables the webhook URL', async () => {
    const { admin, path, address } = await connect(await app.team(), { secret: 's' })
    expect((await admin.get(`${path}/remove`)).html).toContain('stops working at once')
    await admin.post(`${path}/remove`)
    expect((await publish(address, 's')).status).toBe(404)
    expect((await admin.get(path)).status).toBe(404)
  })

  test('a dry run stores nothing and runs no script of the pasted request', async () => {
    const team = await app.team()
    const { admin, path } = await connect(team, { secret: 's' })
    const hostile = structuredClone(release.body) as { release: { name: string; body: string } }
    hostile.release.name = '<script>alert(1)</script> 3.0'
    hostile.release.body = 'Hello <img src=x onerror=alert(1)><script>alert(2)</script>'
    const headers = Object.entries(release.headers).map((pair) => pair.join(': '))
    const { html } = await admin.post(`${path}/try`, {
      headers: headers.join('\n'),
      body: JSON.stringify(hostile),
    })
    expect(html).toContain('Result</h2>')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; 3.0')
    const [, outcome = ''] = html.split('Result</h2>')
    const [shown = ''] = outcome.split('<form')
    expect(shown).not.toMatch(/<script|onerror/)
    const [{ n } = {}] = await app.sql`
      select (select count(*) from content_blocks where team_id = ${team.id})
        + (select count(*) from deliveries where team_id = ${team.id}) as n`
    expect(Number(n)).toBe(0)
  })

  test('a dry run of an invalid request shows what is wrong', async () => {
    const { admin, path } = await connect(await app.team(), { secret: 's' })
    const unread = await admin.post(`${path}/try`, { headers: 'no colon', body: '{}' })
    expect(unread.status).toBe(422)
    expect(unread.html).toContain('id="headers-error"')
    const headers = 'content-type: application/json\nx-github-event: release'
    const empty = await admin.post(`${path}/try`, { headers, body: '{}' })
    expect(empty.html).toContain('No block: ')
  })
})

test('members who are not admins see the state of connections without webhook URLs', async () => {
  const team = await app.team()
  const { path, address } = await connect(team, { secret: 's' })
  const viewer = await signedIn(app, team, 'viewer')
  const { html } = await viewer.get('/integrations')
  expect(html).toContain('Waiting for the first event')
  expect(html).not.toContain(new URL(address).pathname)
  expect(html).not.toContain('/integrations/connect/')
  expect((await viewer.get(path)).status).toBe(403)
})

test.each([
  { page: 'the request of a dry run', path: '/try', label: 'Body' },
  {
    page: 'the webhook URL of a route',
    path: '/routes',
    label: 'Webhook URL of the other connection',
  },
])(
  '$page that is not sent stays on the device, and the server stores nothing of it',
  async (one) => {
    const { admin, path } = await connect(await app.team())
    const context = await browser.newContext()
    await signInBrowser(context, { base: app.base, email: admin.email })
    const page = await context.newPage()
    page.on('dialog', (dialog) => void dialog.accept())
    await page.goto(app.base + path + one.path)
    const field = page.getByLabel(one.label, { exact: true })
    await field.fill('canary of an employee')
    const state = page.locator('.autosave-state:not(:empty)')
    expect(await state.textContent()).toBe('Kept on this device only')
    const stored = await app.sql`select form from form_drafts where member_id = ${admin.id}`
    expect(stored).toHaveLength(0)
    await page.reload()
    await page.getByText('Text that was not saved is restored.').waitFor()
    expect(await field.inputValue()).toBe('canary of an employee')
    await context.close()
  },
)

test('text that the browser cannot keep until it is sent is not said to be kept', async () => {
  const { admin, path } = await connect(await app.team())
  const context = await browser.newContext()
  await signInBrowser(context, { base: app.base, email: admin.email })
  const page = await context.newPage()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(`${app.base}${path}/try`)
  // More than the storage of a browser takes.
  await page.getByLabel('Body', { exact: true }).fill('x'.repeat(6_000_000))
  const state = page.locator('.autosave-state:not(:empty)')
  expect(await state.textContent()).toBe('Not kept. The text is lost when this page is closed.')
  await context.close()
})

test('a person connects a provider in the browser, and the first block appears without a reload', async () => {
  const { email } = await member(app, await app.team(), 'admin')
  const context = await browser.newContext()
  await signInBrowser(context, { base: app.base, email })
  const page = await context.newPage()
  await page.goto(app.base)
  await page.getByRole('link', { name: 'Integrations' }).click()
  await page.getByRole('link', { name: 'Connect GitHub' }).click()
  await page.getByRole('heading', { name: 'How to connect GitHub' }).waitFor()
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('button', { name: 'Show once' }).click()
  const secret = await page.locator('#secret-secret').inputValue()
  const address = await page.locator('#webhook-url').inputValue()
  await page.getByRole('status').getByText('Waiting for the first event').waitFor()
  await publish(address, secret)
  await page.getByRole('status').getByText('Working').waitFor()
  await page.getByRole('link', { name: 'See the block' }).click()
  await page.getByRole('heading', { name: 'tideline 2.0', level: 1 }).waitFor()
  await page.context().close()
})

test('the connect page of every adapter is accessible and fits on a phone', async () => {
  const all = [...(await loadAdapters()).values()]
  const whole = await startApp({ adapters: all, forward: false })
  const { email } = await member(whole, await whole.team(), 'admin')
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    reducedMotion: 'reduce',
  })
  await signInBrowser(context, { base: whole.base, email })
  const page = await context.newPage()
  try {
    for (const { slug } of all) await inspect(page, `${whole.base}/integrations/connect/${slug}`)
  } finally {
    await page.context().close()
    await whole.close()
  }
})

/** What the catalog needs without an app of the operator. */
const withoutApps = async () => ({
  adapters: await loadAdapters(),
  apps: new Map(),
  outbound: createSsrfFetch({ allowPrivate: [] }),
  now: systemClock,
})

test('every product in the catalog has its logo or its first letter in the same style, not an icon that others share', async () => {
  const adapters = [...(await loadAdapters()).values()]
  const whole = await startApp({ adapters })
  try {
    const admin = await signedIn(whole, await whole.team(), 'admin')
    const { html } = await admin.get('/integrations')
    const cards = [...html.matchAll(/<h3 class="provider-name">(.*?)<\/h3>/gs)].map(
      ([, card]) => card ?? '',
    )
    expect(cards).toHaveLength(adapters.length)
    const generic = cards.filter((card) => !card.includes('fill="currentColor"'))
    expect(generic.map((card) => />([^<>]+)<\/span>/.exec(card)?.[1])).toEqual([
      'Standard Webhooks',
      'iCalendar',
    ])
  } finally {
    await whole.close()
  }
})

describe('The connect page of every adapter', async () => {
  const withPage = (
    await Promise.all(
      loadIntegrationCatalog(await withoutApps()).map(async (one) => ({
        one,
        page: await one.page('en'),
      })),
    )
  ).filter(({ page }) => page.summary !== '')

  test.each(withPage.map(({ one }) => [one.slug, one] as const))(
    'the connect page of %s has a summary, a guide and a hint for each setting',
    async (_, { settings, page, examples, dryRun }) => {
      const { summary, guide, hints } = await page('en')
      expect(summary.length).toBeGreaterThan(40)
      expect(guide).toContain('<li>')
      for (const name of Object.keys(settings.entries)) expect(hints.get(name)).toBeString()
      const [example] = (await examples()).values()
      if (!example) throw new Error('there is no example')
      expect((await dryRun(example, {})).map(({ kind }) => kind)).toContain('items')
    },
  )

  test.each(
    withPage.flatMap(({ one }) =>
      ['en', 'de'].map((language) => [one.slug, language, one] as const),
    ),
  )('the guide and the form of %s in %s need no terminal', async (_, language, { page }) => {
    const { guide, remaining, hints } = await page(language)
    const left = remaining('https://news.test/hooks/x/<1>')
    for (const text of [guide, left, ...hints.values()])
      expect(text).not.toMatch(/tidings connection|--set |<code>url<|`|a shell on/)
    for (const hint of hints.values()) expect(hint).not.toMatch(/^true:|tests use|in tests/i)
    expect(left).not.toMatch(/form on this page|Formular auf dieser Seite|<1>|<ol[^>]*>\s*<\/ol>/)
  })

  test.each([1, 8, 14, 20, 400])(
    'every example of an integration becomes news %i days from now',
    async (days) => {
      const now = () => new Date(Date.now() + days * 86_400_000)
      const without: string[] = []
      for (const one of loadIntegrationCatalog({ ...(await withoutApps()), now }))
        for (const [name, example] of await one.examples()) {
          const kinds = (await one.dryRun(example, {})).map(({ kind }) => kind)
          if (!kinds.includes('items')) without.push(`${one.slug} ${name}`)
        }
      expect(without).toEqual([])
    },
  )

  test('no secret is generated for providers that generate it themselves', async () => {
    const adapters = await loadAdapters()
    const inputsOf = (slug: string) =>
      Object.values(adapters.get(slug)?.settings.entries ?? {}).map(inputOf)
    expect(inputsOf('github')).toContain('own-secret')
    for (const slug of ['linear', 'bamboohr', 'teams', 'mattermost', 'slack', 'notion', 'gitlab'])
      expect(inputsOf(slug)).not.toContain('own-secret')
  })
})
