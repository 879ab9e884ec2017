import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { OutgoingMail } from '../../../src/lib/mail/mail.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { inspect } from '../../support/browser/axe.ts'
import { follow, openBrowser } from '../../support/browser/browser.ts'
import { watchErrors } from '../../support/browser/page-errors.ts'
import { member, testPassword } from '../../support/console.ts'
import { withReservedPort } from '../../support/processes/reserved-port.ts'
import { totpOf } from '../../support/providers/totp.ts'
import { until } from '../../support/until.ts'

let browser: Browser
let app: TestApp
/** Browsers offer passkeys only over https and on localhost. */
let base = ''
const sent: OutgoingMail[] = []

beforeAll(async () => {
  browser = await openBrowser()
  app = await withReservedPort(async (port) => {
    base = `http://localhost:${port}`
    const mail = { send: async (email: OutgoingMail) => void sent.push(email) }
    return await startApp({ baseUrl: base, port, mail })
  })
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

/** A browser with an authenticator that stores passkeys, and everything that it complains about. */
async function openPage({ isUserVerified = true } = {}) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const pageErrors = watchErrors(page)
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  })
  return { context, page, pageErrors }
}

const submit = (page: Page, button: string) =>
  follow(page.getByRole('button', { name: button, exact: true }))

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(`${base}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(testPassword)
  await submit(page, 'Sign in')
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.goto(`${base}/account/passkeys/new`)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Your password').fill(testPassword)
  await submit(page, 'Continue')
  await submit(page, 'Create the passkey')
}

const pathOf = (page: Page) => new URL(page.url()).pathname

async function endSession(context: BrowserContext): Promise<void> {
  const cookies = await context.cookies()
  await context.clearCookies()
  await context.addCookies(cookies.filter(({ name }) => name !== 'tidings_session'))
}

test('a passkey is added, signs in without a password, and is the second factor of a password', async () => {
  const { email, accountId } = await member(app, await app.team(), 'editor')
  const { context, page, pageErrors } = await openPage()
  await signIn(page, email)
  await addPasskey(page, 'My laptop')
  expect(pathOf(page)).toBe('/account/second-factor/backup-codes/new')
  const codes = await page.locator('#codes').textContent()
  expect(codes?.split('\n')).toHaveLength(10)
  const added = await until(async () => sent.find(({ recipient }) => recipient === email))
  expect(added.subject).toBe('A passkey was added to your Tidings account')
  expect(added.text).toContain('The passkey is called “My laptop”.')
  await page.goto(`${base}/account/second-factor`)
  await page.getByText('My laptop').waitFor()
  await inspect(page, null)

  await endSession(context)
  await page.goto(`${base}/login?next=%2Faccount`)
  await page.getByRole('link', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL('**/login/passkey?next=%2Faccount')
  await inspect(page, null)
  await submit(page, 'Continue')
  expect(pathOf(page)).toBe('/account')

  await endSession(context)
  await signIn(page, email)
  expect(pathOf(page)).toBe('/login/second-factor')
  await inspect(page, null)
  await page.getByRole('link', { name: 'Use a passkey' }).click()
  await page.waitForURL('**/login/passkey')
  await submit(page, 'Continue')
  await page.goto(`${base}/account`)
  expect(pathOf(page)).toBe('/account')

  await endSession(context)
  await signIn(page, email)
  await page.getByLabel('Code').fill(codes?.split('\n')[0] ?? '')
  await submit(page, 'Sign in')
  await page.goto(`${base}/account`)
  expect(pathOf(page)).toBe('/account')
  expect(pageErrors).toEqual([])
  const rows = await app.sql`select counter from passkeys where account_id = ${accountId}`
  expect(rows).toHaveLength(1)
  await context.close()
})

test('a removed passkey signs nobody in, and the last one turns the second factor off', async () => {
  const { email } = await member(app, await app.team(), 'editor')
  const { context, page } = await openPage()
  await signIn(page, email)
  await addPasskey(page, 'My laptop')
  await page.goto(`${base}/account/second-factor`)
  await page.getByRole('link', { name: 'Remove the passkey My laptop' }).click()
  await page.getByLabel('Your password').fill(testPassword)
  await submit(page, 'Remove the passkey')
  await page.getByText('The passkey is removed.').waitFor()
  await endSession(context)
  await page.goto(`${base}/login/passkey`)
  await submit(page, 'Continue')
  await page.getByText('was not accepted').waitFor()
  await signIn(page, email)
  expect(pathOf(page)).not.toBe('/login/second-factor')
  await context.close()
})

test('a passkey without a fingerprint, face or PIN is not accepted', async () => {
  const { email } = await member(app, await app.team(), 'editor')
  const { context, page } = await openPage({ isUserVerified: false })
  await signIn(page, email)
  await page.goto(`${base}/account/passkeys/new`)
  await page.getByLabel('Your password').fill(testPassword)
  await submit(page, 'Continue')
  await page.getByRole('button', { name: 'Create the passkey' }).click()
  await page.getByText('No passkey was used.').waitFor()
  await context.close()
})

test('the answer of a passkey cannot be sent twice, and not from another browser', async () => {
  const { email } = await member(app, await app.team(), 'editor')
  const { context, page } = await openPage()
  await signIn(page, email)
  await addPasskey(page, 'My laptop')
  await endSession(context)
  await page.goto(`${base}/login/passkey`)
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === 'POST'),
    submit(page, 'Continue'),
  ])
  const send = (cookie: string) =>
    fetch(`${base}/login/passkey`, {
      method: 'POST',
      redirect: 'manual',
      body: request.postData() ?? '',
      headers: {
        origin: base,
        cookie,
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
  const cookie = (await request.allHeaders())['cookie'] ?? ''
  expect(cookie).toContain('tidings_passkey=')
  expect((await send(cookie)).status).toBe(422)
  expect((await send('')).status).toBe(422)
  await context.close()
})

test('somebody whose session ends signs in again with a code in the dialog, and what they typed stays', async () => {
  const { email } = await member(app, await app.team(), 'editor')
  const { context, page, pageErrors } = await openPage()
  await signIn(page, email)
  await page.goto(`${base}/account/second-factor/authenticator`)
  await page.getByLabel('Your password').fill(testPassword)
  await submit(page, 'Continue')
  await inspect(page, null)
  await page.getByText('You cannot scan it?').click()
  const key = await page.getByLabel('Key', { exact: true }).inputValue()
  await page.getByLabel('Code', { exact: true }).fill(totpOf(key))
  await submit(page, 'Turn on')
  expect(await page.locator('#codes').textContent()).toContain('-')
  const [code = ''] = ((await page.locator('#codes').textContent()) ?? '').split('\n')

  await endSession(context)
  expect(await page.evaluate('typeof window.signInAgain')).toBe('function')
  const done = page.evaluate('window.signInAgain()')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Password').fill(testPassword)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByLabel('Code').fill(code)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  expect(await done).toBe(true)
  expect(pageErrors).toEqual([])
  await context.close()
})
