import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { removeMember } from '../../src/features/members/index.ts'
import { setApprovalRequired } from '../../src/features/newsletters/index.ts'
import { setSecondFactorRequired, type Team } from '../../src/features/teams/index.ts'
import { systemContext } from '../../src/lib/context.ts'
import { transaction } from '../../src/lib/database/db.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { openBrowser, signInBrowser } from '../support/browser/browser.ts'
import { setVisibility } from '../support/browser/visibility.ts'
import { logIn, member, type Person, person } from '../support/console.ts'
import { countLockWaits } from '../support/database/lock-waits.ts'
import { followLive } from '../support/live.ts'
import {
  approvalForm,
  blockOf,
  type Call,
  newsletterOf,
  unlimitedClient,
} from '../support/newsletters.ts'
import { until } from '../support/until.ts'

let app: TestApp
let second: TestApp
let team: Team
let call: Call
let browser: Browser
beforeAll(async () => {
  app = await startApp()
  second = await startApp({ on: app })
  team = await app.team()
  call = await unlimitedClient(app, team)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await second.close()
  await app.close()
})

const follow = (who: Person, path: string, base = app.base) => followLive(base, who, path)

/** A member with a session, who is also known by name. */
async function visitor(
  name: string,
  base = app.base,
): Promise<Person & { id: string; email: string }> {
  const { id, email } = await member(app, team, 'editor', { name })
  const visiting = person(base)
  await logIn(visiting, email)
  // The page has the CSRF token for later forms.
  await visiting.get('/account')
  return Object.assign(visiting, { id, email })
}

describe('live: every page', () => {
  test('the live connection of every page receives how many drafts wait, also of another process, and only those of its own team', async () => {
    const team = await app.team()
    const worker = await unlimitedClient(app, team)
    const grace = await member(app, team, 'editor')
    const page = person(second.base)
    await logIn(page, grace.email)
    await page.get('/library')
    const live = await follow(page, '', second.base)
    await live.until('event: counts\ndata: {"drafts":0,"newest":null}')
    await blockOf(call, { title: 'Of another team', status: 'draft' })
    const id = await blockOf(worker, { title: 'Own', status: 'draft' })
    const text = await live.until('"drafts":1')
    expect(text).toContain(`event: counts\ndata: {"drafts":1,"newest":"${id}"}`)
    await worker('PATCH', `/content_blocks/${id}`, { status: 'ready' })
    await live.until(`{"drafts":0,"newest":"${id}"}`)
    const polled = await page.get('/live')
    expect(JSON.parse(polled.html)).toEqual({ drafts: 0, newest: id })
    await live.cancel()
  })
})

describe('live: newsletters', () => {
  test('the live connection of a newsletter shows who else has the newsletter open, also in another process, until they close it', async () => {
    const [ada, grace] = [await visitor('Ada Quist'), await visitor('Grace Hopper', second.base)]
    const path = await newsletterOf(call)
    const first = await follow(ada, path)
    expect(first.response.headers.get('content-type')).toBe('text/event-stream')
    expect(first.response.headers.get('x-accel-buffering')).toBe('no')
    const other = await follow(grace, path, second.base)
    await first.until('data: ["Grace Hopper"]')
    await other.until('data: ["Ada Quist"]')
    await other.cancel()
    const text = await first.until(/data: \["Grace Hopper"\].*event: viewers\ndata: \[\]/s)
    expect(text).not.toContain(grace.email)
    await first.cancel()
  })

  test('the live connection of a newsletter says who has changed the newsletter or one of its blocks', async () => {
    const [ada, grace] = [await visitor('Ada Quist'), await visitor('Grace Hopper')]
    const block = await blockOf(call)
    const path = await newsletterOf(call, [block])
    const live = await follow(ada, path)
    await live.until('event: viewers')
    await grace.post(`${path}/frame`, { part: 'intro', intro: 'Hello.' })
    await live.until('data: {"by":"Grace Hopper","version":3}')
    await call('PATCH', `/content_blocks/${block}`, { title: 'Another title' })
    await live.until(`data: {"by":null,"blocks":["${block}"]}`)
    await live.cancel()
  })

  test('the live connection of a newsletter says at once which version the newsletter has, also after the database was not reachable', async () => {
    const path = await newsletterOf(call)
    const ada = await visitor('Ada Quist')
    await call('PATCH', path, { title: 'Before the page connects' })
    const live = await follow(ada, path)
    await live.until('event: changed\ndata: {"by":null,"version":2}')
    // A change whose message was lost, before the connection that receives messages is lost, too.
    await app.sql`update newsletters set version = 7 where id = ${path.slice('/newsletters/'.length)}`
    await app.sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%'`
    await live.until('event: changed\ndata: {"by":null,"version":7}')
    await live.cancel()
  })

  test('the live connection of a newsletter says that a newsletter was approved, that its sending was undone, and that one of its blocks was reviewed', async () => {
    const [ada, grace] = [await visitor('Ada Quist'), await visitor('Grace Hopper')]
    const block = await blockOf(call)
    const path = await newsletterOf(call, [block])
    const live = await follow(ada, path)
    await live.until('event: viewers')
    const ctx = systemContext({ sql: app.sql, now: () => new Date() }, team.id)
    await setApprovalRequired(ctx, true)
    await grace.post(`${path}/approval`, await approvalForm(grace, path))
    await setApprovalRequired(ctx, false)
    await live.until('data: {"by":"Grace Hopper","version":3}')
    await call('PATCH', path, { status: 'sent' })
    await live.until('data: {"by":null,"version":4}')
    await grace.post(`${path}/undo-send`)
    await live.until('data: {"by":"Grace Hopper","version":5}')
    const { version } = (await call('GET', `/content_blocks/${block}`)).json.content_block
    await grace.post('/library/bulk', { 'selected[]': [`${block}.${version}`], to: 'draft' })
    await live.until('data: {"by":null,"version":6}')
    await live.cancel()
  })

  test('the live connection of a newsletter is closed at once when the team requires a second factor that the person does not have', async () => {
    const elsewhere = await app.team()
    const { email } = await member(app, elsewhere, 'editor')
    const ada = person(app.base)
    await logIn(ada, email)
    const live = await follow(ada, await newsletterOf(await unlimitedClient(app, elsewhere)))
    await live.until('event: viewers')
    const ctx = systemContext({ sql: app.sql, now: () => new Date() }, elsewhere.id)
    await setSecondFactorRequired(ctx, true)
    await live.closed()
  })

  test('the live connection of a newsletter is closed at once when the session ends or the member is removed, also by another process', async () => {
    const path = await newsletterOf(call)
    const ada = await visitor('Ada Quist')
    const live = await follow(ada, path)
    await live.until('event: viewers')
    await app.sql`delete from sessions where account_id =
      (select account_id from members where id = ${ada.id})`
    await live.closed()
    const grace = await visitor('Grace Hopper')
    const other = await follow(grace, path)
    await other.until('event: viewers')
    await removeMember(systemContext({ sql: second.sql, now: () => new Date() }, team.id), grace.id)
    await other.closed()
  })

  test('the live connection of a newsletter is closed without a further message when the session ended while the page was opened', async () => {
    const path = await newsletterOf(call)
    const ada = await visitor('Ada Quist')
    const opening = await transaction(
      app.sql,
      async (tx) => {
        await tx`lock table newsletters in access exclusive mode`
        const started = follow(ada, path)
        await until(async () => (await countLockWaits(second.sql)) > 0)
        await second.sql`delete from sessions where account_id =
        (select account_id from members where id = ${ada.id})`
        return { started }
      },
      240_000,
    )
    const live = await opening.started
    expect(await live.until('event: changed')).not.toContain('event: changed')
  })

  test('the live connection of a newsletter is closed without a further message when the member was removed while messages were lost', async () => {
    const path = await newsletterOf(call)
    const ada = await visitor('Ada Quist')
    const live = await follow(ada, path)
    await live.until('event: viewers')
    await transaction(app.sql, async (tx) => {
      await tx`alter table members disable trigger members_access`
      await tx`update members set removed_at = now() where id = ${ada.id}`
      await tx`alter table members enable trigger members_access`
    })
    await app.sql`update newsletters set version = 7 where id = ${path.slice('/newsletters/'.length)}`
    await app.sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%'`
    expect(await live.until('"version":7')).not.toContain('"version":7')
  })

  test('the live connection of a newsletter is refused to another team and to people without a session, and programs get the version', async () => {
    const path = await newsletterOf(call)
    const ada = await visitor('Ada Quist')
    expect(JSON.parse((await ada.get(`${path}/live`)).html)).toMatchObject({ version: 1 })
    expect((await follow(person(app.base), path)).response.status).toBe(204)
    const elsewhere = await newsletterOf(await unlimitedClient(app, await app.team()))
    expect((await follow(ada, elsewhere)).response.status).toBe(404)
  })

  test('the live connection of a newsletter is limited to ten pages of a member', async () => {
    const path = await newsletterOf(call)
    const ada = await visitor('Ada Quist')
    const open = await Promise.all(Array.from({ length: 10 }, () => follow(ada, path)))
    for (const one of open) await one.until('event: viewers')
    expect((await follow(ada, path)).response.status).toBe(429)
    for (const one of open) await one.cancel()
  })

  test('the live connection of a newsletter is closed when the process begins to stop, and opens no more', async () => {
    const stopping = await startApp({ on: app })
    const path = await newsletterOf(call)
    const ada = await visitor('Ada Quist')
    const live = await follow(ada, path, stopping.base)
    await live.until('event: viewers')
    stopping.drain.start()
    await live.closed()
    expect((await follow(ada, path, stopping.base)).response.status).toBe(429)
    await stopping.close()
  })
})

test('two people who have a newsletter open see each other and each other’s changes', async () => {
  const open = async (name: string, path: string): Promise<Page> => {
    const { email } = await member(app, team, 'editor', { name })
    const context = await browser.newContext({ baseURL: app.base, reducedMotion: 'reduce' })
    await signInBrowser(context, { base: app.base, email })
    const page = await context.newPage()
    await page.goto(path)
    return page
  }
  const path = await newsletterOf(call, [await blockOf(call, { title: 'The lift works' })])
  const ada = await open('Ada Quist', path)
  const grace = await open('Grace Hopper', path)
  await ada.getByText('Also open here: Grace Hopper').waitFor()
  await grace.getByText('Also open here: Ada Quist').waitFor()
  await grace.getByLabel('Subject', { exact: true }).fill('From Grace')
  await grace.keyboard.press('Tab')
  await ada.getByText('Grace Hopper has changed this newsletter.').waitFor()
  expect(await grace.locator('#changed .notice').count()).toBe(0)
  await ada.getByRole('link', { name: 'Show the changes' }).click()
  await ada.locator('#changed .notice').waitFor({ state: 'detached' })
  const subject = ada.getByLabel('Subject', { exact: true })
  await until(async () => (await subject.inputValue()) === 'From Grace')
  await setVisibility(ada, 'hidden')
  await call('PATCH', path, { subject_line: 'While the tab was hidden' })
  await setVisibility(ada, 'visible')
  await ada.getByText('This newsletter was changed.').waitFor()
  await grace.context().close()
  await ada.getByText('Also open here').waitFor({ state: 'detached' })
  await ada.context().close()
})
