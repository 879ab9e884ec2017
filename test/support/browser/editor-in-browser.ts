import type { BrowserContextOptions, Page } from 'playwright-core'
import { startApp } from '../app.ts'
import { member } from '../console.ts'
import { type Call, unlimitedClient } from '../newsletters.ts'
import { openBrowser, signInBrowser } from './browser.ts'

/** Editors of a team, in a browser. */
export interface EditorInBrowser {
  call: Call
  /** Adds an editor to the team; returns the email address. */
  addEditor(): Promise<string>
  /** A page in a browser window of its own, of this editor or of a new one, who has no unsaved text. */
  open(path: string, options?: BrowserContextOptions & { email?: string }): Promise<Page>
  close(): Promise<void>
}

/** Starts a service with a team, and a browser for its editors. */
export async function startEditorInBrowser(): Promise<EditorInBrowser> {
  const app = await startApp()
  const browser = await openBrowser()
  const team = await app.team()
  const call = await unlimitedClient(app, team)
  const addEditor = async () => (await member(app, team, 'editor')).email
  return {
    call,
    addEditor,
    async open(path, { email: given, ...options } = {}) {
      const email = given ?? (await addEditor())
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
