import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as v from 'valibot'
import { errorCodes } from '../../../src/api/errors/codes.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { seriousFindings } from '../../support/browser/axe.ts'
import { openBrowser } from '../../support/browser/browser.ts'
import { watchErrors } from '../../support/browser/page-errors.ts'
import { operations } from '../../support/response-check.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})
afterAll(async () => await app.close())

test.each(['/docs', '/docs/errors', '/openapi.json'])(
  '%s has a strict policy, which allows inline styles on the docs page only',
  async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await fetch(app.base + path, { method })
      expect(status).toBe(200)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toStartWith("default-src 'none'; script-src 'self'")
      expect(policy).toContain("frame-ancestors 'none'")
      const relaxed = policy.replace("style-src 'self' 'unsafe-inline'", "style-src 'self'")
      expect(relaxed === policy).toBe(path !== '/docs')
      expect(relaxed).not.toContain('unsafe')
    }
  },
)

test.each([
  '/docs',
  '/docs/errors',
  '/openapi.json',
  '/forgot',
  '/receipts/acme/x',
  '/library/x/edit',
])('another method of %s gets a 405 that says which methods there are', async (path) => {
  const headers = { origin: app.base }
  const put = await fetch(app.base + path, { method: 'PUT', headers })
  expect(put.status).toBe(405)
  expect(put.headers.get('allow')).toStartWith('GET, HEAD')
  expect((await fetch(`${app.base}${path}/nothing`, { method: 'PUT', headers })).status).toBe(404)
})

test('the files of the docs page are cached by browsers until they change', async () => {
  const page = await (await fetch(`${app.base}/docs`)).text()
  const files = [...page.matchAll(/"(\/docs\/assets\/[0-9a-f]{12}\/[^"]+\.(css|js))"/g)]
  expect(files).toHaveLength(3)
  for (const [, path, kind] of files) {
    const { status, headers } = await fetch(app.base + path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toStartWith(kind === 'css' ? 'text/css' : 'text/javascript')
    expect(headers.get('cache-control')).toContain('immutable')
    expect(headers.get('content-encoding')).toBe('gzip')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test('every error code has a section on the page of errors, to which the type of a problem leads', async () => {
  const page = await (await fetch(`${app.base}/docs/errors`)).text()
  for (const code of errorCodes) expect(page).toContain(`<section id="${code}">`)
  const response = await fetch(`${app.base}/api/v1/ping`)
  const { type } = v.parse(Problem, await response.json())
  const target = new URL(type, app.base)
  expect(target.pathname).toBe('/docs/errors')
  expect(page).toContain(`<section id="${target.hash.slice(1)}">`)
})

test.each([
  '/docs/assets/swagger-ui.css',
  '/docs/assets/x/package.json',
  '/docs/assets/%2e%2e%2f%2e%2e%2fpackage.json',
  '/docs/assets/..%5c..%5cpackage.json',
  '/docs/docs.js',
])('%s is not served as a file of the docs page', async (path) => {
  expect((await fetch(app.base + path)).status).toBe(404)
})

test('the docs page shows every operation and sends a request, without the internet', async () => {
  const key = await app.key(await app.team('acme'), ['read'])
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    const pageErrors = watchErrors(page)
    const origins = new Set<string>()
    page.on('request', (request) => origins.add(new URL(request.url()).origin))

    await page.goto(`${app.base}/docs`)
    await page.locator('.opblock').first().waitFor()
    expect(await seriousFindings(page)).toEqual([])
    expect(await page.locator('body').textContent()).not.toMatch(/Ask AI|Deploy|Share/)
    const shown = await page.locator('.opblock-summary-path').allInnerTexts()
    const paths = shown.map((path) => path.replaceAll('\u200b', ''))
    for (const { path } of operations) {
      expect(paths).toContain(path.replaceAll(/:(\w+)/g, '{$1}'))
    }

    await page.locator('button.authorize').click()
    await page.getByRole('textbox').first().fill(key)
    await page.locator('.modal-ux button.authorize').first().click()
    await page.locator('.modal-ux .btn-done').first().click()
    await page.locator('#operations-Team-ping .opblock-summary-control').click()
    await page.locator('.try-out__btn').click()
    await page.locator('button.execute').click()
    const reply = page.locator('.live-responses-table')
    await reply.waitFor()
    expect(await reply.textContent()).toContain('"slug": "acme"')

    expect([...origins]).toEqual([app.base])
    expect(pageErrors).toEqual([])
  } finally {
    await browser.close()
  }
})
