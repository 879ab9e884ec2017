import type { BrowserContextOptions, Page } from 'playwright-core'
import { startApp } from '../app.ts'
import { member } from '../console.ts'
import { type Call, unlimitedClient } from '../newsletters.ts'
import { openBrowser, signInBrowser } from './browser.ts'

/** An editor of a team, in a browser. */
export interface EditorInBrowser {
  call: Call
  /** A page in a browser window of its own. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>
  close(): Promise<void>
}

/** Starts a service with a team, and a browser with an editor of the team. */
export async function startEditorInBrowser(): Promise<EditorInBrowser> {
  const app = await startApp()
  const browser = await openBrowser()
  const team = await app.team()
  const call = await unlimitedClient(app, team)
  const { email } = await member(app, team, 'editor')
  return {
    call,
    async open(path, options) {
      const context = await browser.newContext({ baseURL: app.base, ...options })
      await signInBrowser(context, { base: app.base, email })
      const page = await context.newPage()
      await page.goto(path)
      return page
    },
    async close() {
      await browser.close()
      await app.close()
    },
  }
}
