import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import type { OutgoingMail } from '../../../src/lib/mail/mail.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { seriousFindings } from '../../support/browser/axe.ts'
import { openBrowser } from '../../support/browser/browser.ts'
import { signedIn, testPassword } from '../../support/console.ts'
import { blockOf, unlimitedClient } from '../../support/newsletters.ts'
import { until } from '../../support/until.ts'

let app: TestApp
let browser: Browser
const sent: OutgoingMail[] = []

const screens = [
  { viewport: { width: 600, height: 800 }, colorScheme: 'light' },
  { viewport: { width: 390, height: 800 }, colorScheme: 'dark' },
] as const

beforeAll(async () => {
  browser = await openBrowser()
  app = await startApp({ mail: { send: async (mail) => void sent.push(mail) } })
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

async function emailTo(address: string): Promise<OutgoingMail> {
  await until(async () => sent.some(({ recipient }) => recipient === address))
  const [mail] = sent.splice(
    sent.findIndex(({ recipient }) => recipient === address),
    1,
  )
  if (!mail) throw new Error(`${address} has no email`)
  return mail
}

/** What an email says and links to, once it has been checked for faults on a wide and a narrow screen. */
async function inspectEmail({ html }: OutgoingMail) {
  const page = await browser.newPage()
  await page.setContent(html)
  for (const { viewport, colorScheme } of screens) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    expect({ colorScheme, faults: await seriousFindings(page) }).toEqual({
      colorScheme,
      faults: [],
    })
    const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await page.evaluate<number>(over)).toBe(0)
  }
  const links = await page.evaluate<[string, string][]>(
    "[...document.links].map((link) => [link.textContent.trim(), link.getAttribute('href')])",
  )
  const heading = await page.getByRole('heading', { level: 1 }).textContent()
  const text = await page.evaluate<string>('document.body.innerText')
  await page.close()
  return { heading, text, links: Object.fromEntries(links) }
}

test('invitations, links for a new password, mentions and emails about changes have a heading, a button and the same text as HTML and as plain text', async () => {
  const team = await app.team('Harbour & Sons')
  const ada = await signedIn(app, team, 'admin', { name: 'Ada <b>Quist</b>' })
  const sam = await signedIn(app, team, 'editor', { name: 'Sam Petrov' })

  await ada.post('/settings/members', { name: 'Nia', email: 'nia@people.test', role: 'editor' })
  const invitation = await emailTo('nia@people.test')
  const join = /^http\S+\/join\/\S+$/m.exec(invitation.text)?.[0]
  const invited = await inspectEmail(invitation)
  expect(invited.heading).toBe(`${team.name} invites you to Tidings`)
  expect(invited.text).toContain('Ada <b>Quist</b> invites you to the team')
  expect(invited.links).toMatchObject({ [`Join ${team.name}`]: join })
  expect(invitation.text).toContain(`Join ${team.name}:\n${join}\n`)

  await sam.post('/forgot', { email: sam.email })
  const reset = await emailTo(sam.email)
  const link = /^http\S+\/reset\/\S+$/m.exec(reset.text)?.[0]
  expect((await inspectEmail(reset)).links).toMatchObject({ 'Choose a new password': link })

  const call = await unlimitedClient(app, team)
  const id = await blockOf(call, { title: 'The harbour party', status: 'draft' })
  await ada.post(`/library/${id}/comments`, { body: '@Sam Petrov: is <i>this</i> so?\r\nYes.' })
  const mention = await emailTo(sam.email)
  const mentioned = await inspectEmail(mention)
  expect(mentioned.text).toMatch(/@Sam Petrov: is <i>this<\/i> so\?\s*\nYes\./)
  expect(mentioned.links).toMatchObject({
    'Open the comment': `http://tidings.test/library/${id}#comments`,
    'Choose which emails you get': 'http://tidings.test/account#notifications',
  })
  expect(mention.text).toContain('http://tidings.test/account#notifications')

  await sam.get('/account')
  await sam.post('/account/password', { current: testPassword, password: 'another long way' })
  const changed = await inspectEmail(await emailTo(sam.email))
  expect(changed.heading).toBe('The password of your Tidings account was changed')
  expect(changed.text).toContain('If this was you, there is nothing to do.')
  expect(changed.links).toMatchObject({ 'Choose a new password': 'http://tidings.test/forgot' })
})
