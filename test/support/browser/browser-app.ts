import { afterAll } from 'bun:test'
import { startApp } from '../app.ts'
import { unlimitedClient } from '../newsletters.ts'
import { openBrowser } from './browser.ts'

/**
 * Starts an app and a browser for the tests of a file, and stops both after them. `call` calls the API for the team
 * without a rate limit.
 */
export async function startBrowserApp(options: Parameters<typeof startApp>[0] = {}) {
  const app = await startApp(options)
  const browser = await openBrowser()
  afterAll(async () => {
    await browser.close()
    await app.close()
  })
  const team = await app.team()
  return { app, browser, team, call: await unlimitedClient(app, team) }
}
