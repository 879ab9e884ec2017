import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { purgeComments, splitMentions } from '../../../src/features/block-comments/index.ts'
import { deleteRowsOfPurgedBlocks } from '../../../src/features/purged-blocks/index.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { newId } from '../../../src/lib/ids.ts'
import type { OutgoingMail } from '../../../src/lib/mail/mail.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { seriousFindings } from '../../support/browser/axe.ts'
import { openBrowser, signInBrowser } from '../../support/browser/browser.ts'
import { untilNamesAreOffered } from '../../support/browser/mentions.ts'
import { signedIn } from '../../support/console.ts'
import { growthOf, maxLinearGrowth } from '../../support/growth.ts'
import { blockOf, unlimitedClient } from '../../support/newsletters.ts'
import { until } from '../../support/until.ts'

let app: TestApp
let browser: Browser
const sent: OutgoingMail[] = []

beforeAll(async () => {
  browser = await openBrowser()
  app = await startApp({ mail: { send: async (mail) => void sent.push(mail) } })
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

/** A team with two editors and a draft. */
async function newTeam() {
  const team = await app.team()
  const call = await unlimitedClient(app, team)
  const ada = await signedIn(app, team, 'editor', { name: 'Ada Quist' })
  const sam = await signedIn(app, team, 'editor', { name: 'Sam Petrov' })
  const viewer = await signedIn(app, team, 'viewer', { name: 'Vera Viewer' })
  const id = await blockOf(call, { title: 'The harbour party', status: 'draft' })
  return { team, call, ada, sam, viewer, id }
}

const emailsTo = (address: string) => sent.filter(({ recipient }) => recipient === address)

test('a comment is stored as text, and each editor whom it mentions gets one email', async () => {
  const { ada, sam, viewer, id } = await newTeam()
  const body = '@Sam Petrov and @sam: is this <b>true</b>? @Vera Viewer knows, @Ada wrote it.'
  const { status } = await ada.post(`/library/${id}/comments`, { body })
  expect(status).toBe(303)
  await until(async () => emailsTo(sam.email).length > 0)
  const [email] = emailsTo(sam.email)
  expect(email?.subject).toBe('Ada Quist mentions you: The harbour party')
  expect(email?.text).toContain(`http://tidings.test/library/${id}#comments`)
  expect(email?.html).toContain('is this &lt;b&gt;true&lt;/b&gt;?')
  const { html } = await sam.get(`/library/${id}`)
  expect(html).toContain('is this &lt;b&gt;true&lt;/b&gt;?')
  expect(html).toContain('<span class="mention">@Sam Petrov</span>')
  expect(html).not.toContain('<span class="mention">@Vera Viewer</span>')
  expect((await sam.get('/library')).html).toContain('1 comment')
  expect((await viewer.get(`/library/${id}`)).html).not.toContain('is this')
  await until(async () => (await app.sql`select from notification_emails`).length === 0)
  expect([emailsTo(sam.email).length, emailsTo(ada.email).length]).toEqual([1, 0])
  expect(emailsTo(viewer.email)).toEqual([])
})

test('a comment whose letters become longer in lower case mentions the right person with the right words', async () => {
  const { team, ada, sam, id } = await newTeam()
  await signedIn(app, team, 'editor', { name: 'İpek Yılmaz' })
  const body = 'İyi, @Sam Petrov! İİİ @İpek Yılmaz, @SAM PETROV.'
  await ada.post(`/library/${id}/comments`, { body })
  const { html } = await sam.get(`/library/${id}`)
  const mentions = [...html.matchAll(/<span class="mention">(.*?)<\/span>/g)].map(
    ([, text]) => text,
  )
  expect(mentions).toEqual(['@Sam Petrov', '@İpek Yılmaz', '@SAM PETROV'])
})

test('a comment mentions at most twenty people, because each of them gets an email', async () => {
  const { team, ada, id } = await newTeam()
  const names = Array.from({ length: 21 }, (_, at) => `Person${at}`)
  const rows = names.map((name) => ({
    id: newId('mb', new Date()),
    team_id: team.id,
    name,
    email: `${name.toLowerCase()}@${team.id}.test`,
    role: 'editor',
    created_at: new Date(),
  }))
  await app.sql`insert into members ${app.sql(rows)}`
  const comment = (people: string[]) =>
    ada.post(`/library/${id}/comments`, { body: people.map((name) => `@${name}`).join(' ') })
  const refused = await comment(names)
  expect(refused.status).toBe(422)
  expect(refused.html).toContain('A comment mentions at most 20 people.')
  expect(refused.html).toContain('@Person0 @Person1')
  expect(await app.sql`select from block_comments where block_id = ${id}`).toHaveLength(0)
  expect((await comment(names.slice(1))).status).toBe(303)
})

test('the 201st editor by name can be mentioned and assigned, and stays assigned when the form is sent again', async () => {
  const { team, ada, sam, id } = await newTeam()
  const rows = Array.from({ length: 200 }, (_, number) => ({
    id: newId('mb', new Date()),
    team_id: team.id,
    name: `Aaron ${number}`,
    email: `aaron${number}@${team.id}.test`,
    role: 'editor',
    created_at: new Date(),
  }))
  await app.sql`insert into members ${app.sql(rows)}`
  await ada.post(`/library/${id}/comments`, { body: '@Sam Petrov, please read it.' })
  await until(async () => emailsTo(sam.email).length === 1)
  expect((await ada.post(`/library/${id}/assignee`, { member: sam.id })).status).toBe(303)
  await until(async () => emailsTo(sam.email).length === 2)
  const { html } = await ada.get(`/library/${id}`)
  expect(html).toContain('<span class="mention">@Sam Petrov</span>')
  expect(html).toContain(`<option value="${sam.id}" selected`)
})

test('a person writes comments and assigns blocks a hundred times within an hour, because both send emails', async () => {
  const { team, ada, sam, id } = await newTeam()
  const [entry] = await app.sql<{ actor: string }[]>`
    select distinct actor from audit_log where team_id = ${team.id} and actor like 'Ada Quist %'`
  const actor = entry?.actor ?? `Ada Quist (${ada.email})`
  const record = (number: number, at: Date) => {
    const row = { team_id: team.id, action: 'block_commented', actor, created_at: at }
    const rows = Array.from({ length: number }, () => ({ ...row, id: newId('au', at) }))
    return app.sql`insert into audit_log ${app.sql(rows)}`
  }
  await record(100, new Date(Date.now() - 3_700_000))
  await record(99, new Date())
  expect((await ada.post(`/library/${id}/comments`, { body: 'The last one.' })).status).toBe(303)
  const refused = await ada.post(`/library/${id}/comments`, { body: 'One more.' })
  expect(refused.status).toBe(422)
  expect(refused.html).toContain('100 times within an hour; try again later')
  expect((await ada.post(`/library/${id}/assignee`, { member: sam.id })).status).toBe(422)
  expect((await sam.post(`/library/${id}/comments`, { body: 'Of another person.' })).status).toBe(
    303,
  )
  const { html } = await sam.get(`/library/${id}`)
  expect(html).toContain('The last one.')
  expect(html).not.toContain('One more.')
})

test('the time to find whom a comment mentions does not grow with the number of people for each of its marks', async () => {
  const find = (size: number) => {
    const people = Array.from({ length: size }, (_, at) => ({
      id: `${at}`,
      name: `Person${at} Quist`,
      email: `p${at}@acme.test`,
    }))
    return splitMentions('@'.repeat(size), people)
  }
  expect(await growthOf(find, 200)).toBeLessThan(maxLinearGrowth)
})

test('comments and assignments of another team cannot be read, written or deleted', async () => {
  const { ada, sam, id } = await newTeam()
  await ada.post(`/library/${id}/comments`, { body: 'For us only.' })
  const [comment] = await app.sql`select id from block_comments where block_id = ${id}`
  const path = `/library/${id}/comments/${comment?.['id']}/delete`
  const other = await newTeam()
  expect((await other.ada.post(`/library/${id}/comments`, { body: 'x' })).status).toBe(404)
  expect((await other.ada.post(path)).status).toBe(404)
  expect((await other.ada.post(`/library/${id}/assignee`, { member: sam.id })).status).toBe(404)
  expect((await ada.post(`/library/${id}/assignee`, { member: other.sam.id })).status).toBe(422)
  // An editor deletes only their own comments.
  expect((await sam.post(path)).status).toBe(404)
  expect((await ada.post(path)).status).toBe(303)
  expect((await ada.get(`/library/${id}`)).html).not.toContain('For us only.')
})

test('a person who has switched an email off does not get it', async () => {
  const { ada, sam, id } = await newTeam()
  const { location } = await sam.post('/account/notifications', { notify_assignments: 'on' })
  expect(location).toBe('/account#notifications')
  await ada.post(`/library/${id}/comments`, { body: 'See @Sam Petrov.' })
  await ada.post(`/library/${id}/assignee`, { member: sam.id })
  await until(async () => emailsTo(sam.email).length > 0)
  await until(async () => (await app.sql`select from notification_emails`).length === 0)
  expect(emailsTo(sam.email).map(({ subject }) => subject)).toEqual([
    'Assigned to you: The harbour party',
  ])
  const { html } = await sam.get('/account')
  expect(html).toMatch(/name="notify_assignments"[^>]* checked/)
  expect(html).not.toMatch(/name="notify_mentions"[^>]* checked/)
})

test('a block is assigned to an editor, who gets an email and finds it by a filter', async () => {
  const { call, ada, sam, id } = await newTeam()
  await blockOf(call, { title: 'Another one', status: 'draft' })
  for (const _ of [1, 2]) await ada.post(`/library/${id}/assignee`, { member: sam.id })
  await until(async () => emailsTo(sam.email).length > 0)
  expect(emailsTo(sam.email).map(({ subject }) => subject)).toEqual([
    'Assigned to you: The harbour party',
  ])
  const mine = await sam.get('/library?status=all&assignee=me')
  expect(mine.html).toContain('The harbour party')
  expect(mine.html).not.toContain('Another one')
  expect((await ada.get('/library?assignee=me')).html).toContain('No matching blocks')
  await ada.post(`/library/${id}/assignee`, { member: '' })
  expect((await sam.get('/library?status=all&assignee=me')).html).toContain('No matching blocks')
})

test('comments outlive a deletion that is undone, and are purged with the block', async () => {
  const { ada, id } = await newTeam()
  await ada.post(`/library/${id}/comments`, { body: 'Keep me.' })
  await ada.post(`/library/${id}/delete`)
  await purgeComments({ sql: app.sql, now: systemClock })
  await ada.post(`/library/${id}/restore`)
  expect((await ada.get(`/library/${id}`)).html).toContain('Keep me.')
  await app.sql`delete from content_blocks where id = ${id}`
  await purgeComments({ sql: app.sql, now: systemClock })
  expect(await app.sql`select from block_comments where block_id = ${id}`).toHaveLength(0)
})

test('the comments of purged blocks are deleted slice by slice, those of other blocks stay', async () => {
  const { call, ada, id } = await newTeam()
  const ids = [id]
  for (const title of ['Second', 'Third', 'Fourth', 'Fifth'])
    ids.push(await blockOf(call, { title, status: 'draft' }))
  for (const one of ids)
    for (const body of ['One.', 'Two.', 'Three.'])
      await ada.post(`/library/${one}/comments`, { body })
  const purged = ids.filter((_, index) => index % 2 === 0)
  const others = ids.filter((_, index) => index % 2 === 1)
  await app.sql`delete from content_blocks where id = any(${purged})`
  await deleteRowsOfPurgedBlocks(
    { sql: app.sql, now: systemClock },
    {
      table: 'block_comments',
      rows: 2,
    },
  )
  const rows = await app.sql<{ block_id: string }[]>`
    select block_id from block_comments where block_id = any(${ids}) order by id`
  expect(rows.map(({ block_id }) => block_id)).toEqual(others.flatMap((one) => [one, one, one]))
})

test('filters are saved for one person, replaced under the same name, and deleted', async () => {
  const { ada, sam } = await newTeam()
  const save = (path: string) => ada.post('/library/filters', { name: 'Polls', path })
  await save('/library?status=all&type=poll&evil=1')
  await save('/library?status=ready&type=poll')
  const { html } = await ada.get('/library')
  expect(html).toContain('<a href="/library?status=ready&amp;type=poll">Polls</a>')
  expect(html).not.toContain('evil')
  expect((await sam.get('/library')).html).not.toContain('Polls</a>')
  await ada.post('/library/filters/delete', { name: 'Polls' })
  expect((await ada.get('/library')).html).not.toContain('Polls</a>')
})

test('a filter with a long search in any script is saved', async () => {
  const { ada } = await newTeam()
  const path = `/library?${new URLSearchParams({ status: 'all', q: '祭'.repeat(200), event: '港'.repeat(200) })}`
  const { status, location } = await ada.post('/library/filters', { name: 'Long', path })
  expect({ status, location }).toMatchObject({
    status: 303,
    location: expect.stringContaining('%E7%A5%AD'),
  })
  expect((await ada.get('/library')).html).toContain('>Long</a>')
})

test('a form with an address that is none leads to the library without a filter', async () => {
  const { ada, id } = await newTeam()
  const path = 'http://['
  const { status, location } = await ada.post('/library/filters', { name: 'Odd', path })
  expect({ status, location }).toEqual({ status: 303, location: '/library?status=draft' })
  const inPlace = { 'hx-request': 'true', 'hx-target': 'block-list' }
  expect(
    (await ada.post(`/library/${id}/assignee`, { back: path, member: '' }, inPlace)).status,
  ).toBe(200)
})

test('beside the list, a comment with a chosen name is added, and an unsent one is kept', async () => {
  const { call, ada } = await newTeam()
  await blockOf(call, { title: 'Second', status: 'draft' })
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  await signInBrowser(context, { base: app.base, email: ada.email })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(`${app.base}/library`)
  const panel = page.locator('#preview-panel')
  const open = async (title: string) => {
    await page.getByRole('link', { name: title, exact: true }).click()
    await panel.getByRole('heading', { name: title }).waitFor()
  }
  await open('The harbour party')
  const comment = panel.getByRole('textbox', { name: 'Comment' })
  await comment.click()
  await page.keyboard.type('Please check @pet')
  expect(await comment.inputValue()).toBe('Please check @pet')
  await untilNamesAreOffered(page)
  await page.getByRole('listbox').getByText('Sam Petrov').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('Enter')
  expect(await panel.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe(
    'Please check @Sam Petrov ',
  )
  await open('Second')
  expect(await panel.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('')
  await open('The harbour party')
  expect(await panel.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe(
    'Please check @Sam Petrov ',
  )
  await panel.getByRole('button', { name: 'Comment' }).click()
  await panel.locator('.mention', { hasText: '@Sam Petrov' }).waitFor()
  await page
    .locator('.block-row', { hasText: 'The harbour party' })
    .getByText('1 comment')
    .waitFor()
  expect(await panel.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('')
  await panel.getByLabel('Assigned to').selectOption('Sam Petrov')
  await page.locator('.block-row').getByText('Assigned to Sam Petrov').waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test('a comment and an assignee of a colleague appear beside the open block, and what the person writes stays', async () => {
  const { ada, sam, id } = await newTeam()
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  await signInBrowser(context, { base: app.base, email: ada.email })
  const page = await context.newPage()
  const connected = page.waitForResponse((response) => response.url().includes('/live'))
  await page.goto(`${app.base}/library`)
  await connected
  await page.getByRole('link', { name: 'The harbour party', exact: true }).click()
  const panel = page.locator('#preview-panel')
  const comment = panel.getByRole('textbox', { name: 'Comment' })
  await comment.fill('I am still writing')
  await sam.get(`/library/${id}`)
  await sam.post(`/library/${id}/comments`, { body: 'It begins at six.' })
  await panel.getByText('It begins at six.').waitFor()
  await page.locator('.block-row[aria-current]').getByText('1 comment').waitFor()
  expect(await comment.inputValue()).toBe('I am still writing')
  await sam.post(`/library/${id}/assignee`, { member: sam.id })
  await panel
    .locator('#assignee option:checked', { hasText: 'Sam Petrov' })
    .waitFor({ state: 'attached' })
  await context.close()
})
