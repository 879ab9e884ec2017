/**
 * The console: pages for people, rendered here on the server. To add a page:
 *
 * 1. Make `pages/<name>.tsx` with a list of routes, and add that list to `routes.ts`. A route is made
 *    by `page(path, role, show)` or `action(path, role, { form, act, again })` from `page.ts`. Origin,
 *    session, team, role and the form's token are checked before either runs.
 * 2. `show(visit)` asks the front doors of features for data, always with `visit.teamId`, and answers
 *    `screen(visit, { title, section }, <…/>)`. `act(visit, input)` gets the form as its Valibot schema
 *    makes it, calls a feature and answers `redirect(visit, path, good('Done.'))`. What a feature
 *    throws becomes a page; with `again`, a `validation_failed` shows the form once more, filled in.
 * 3. Put text into JSX with `safe` on the element (`<b safe>{name}</b>`): without it nothing is
 *    escaped, and `bun run check` refuses it. In attributes, text that somebody wrote is
 *    `attribute(text)`. Links to what others typed were checked as `webAddress` in the contract.
 * 4. Forms are `<Form visit={visit} action="…">` with the parts of `parts/form.tsx`, so that they
 *    carry the token. All works without JavaScript: htmx only makes it quicker (`hx-get` on the same
 *    page with `hx-select` and `hx-target` needs nothing on the server).
 * 5. No inline style and no inline script: the policy forbids both. Looks go into
 *    `assets/styles/`, a file a section, named in `assets.ts`.
 * 6. Write down what changes keys, people and settings: `recordVisit(visit, 'key_created', name)`.
 */
import { Elysia } from 'elysia'
import type { Logger } from 'pino'
import { queueAccountEmail } from '../features/account-emails/index.ts'
import type { AiDrafts } from '../features/ai-drafts/index.ts'
import { createSessions, resetSeconds } from '../features/sessions/index.ts'
import type { CountInPeriod } from '../features/teams/index.ts'
import { assetResponse } from '../lib/assets.ts'
import type { Now } from '../lib/clock.ts'
import type { Sql } from '../lib/db.ts'
import { createEncryption } from '../lib/encryption.ts'
import { newId } from '../lib/ids.ts'
import { findConsoleAssets } from './assets.ts'
import { createCsrfAndFlash } from './csrf-and-flash.ts'
import { securityHeaders } from './headers.ts'
import { resetMail } from './mails.ts'
import { createOneTimeCookie } from './one-time-cookie.ts'
import type { ConsoleDeps, Integrations } from './page.ts'
import { createPipeline, type RouteOrNone } from './pipeline.ts'
import { routes } from './routes.ts'

export { prepareFirstRun } from './first-run.ts'
export type { Integrations } from './page.ts'

export interface ConsoleOptions {
  sql: Sql
  now: Now
  log: Logger
  /** How people reach the service, without a slash at the end; over https its cookies are `Secure`. */
  baseUrl: string
  /** The installation's secret. */
  secret: string
  /** Whether mail goes out; while it does not, links are shown to copy. */
  mail: boolean
  aiDraftsPerMonth: number | null
  countNewsletters: CountInPeriod
  integrations: Integrations
  drafts: AiDrafts
  /** The client's address, as far as the operator trusts what names it. */
  addressOf(request: Request): string
}

/** What the console takes of a request's context. */
interface Asked {
  request: Request
  params?: Record<string, string>
  server: { timeout(request: Request, seconds: number): void } | null
}

/** Mounts the console's pages and files, and an answer for every other address. */
export function createConsole({ secret, addressOf, ...options }: ConsoleOptions) {
  const { sql, now, log, baseUrl } = options
  const vault = createEncryption(secret)
  const mail: ConsoleDeps['mail'] = options.mail
    ? (outgoing, until) => queueAccountEmail(sql, vault, now, outgoing, until)
    : null
  const deps: ConsoleDeps = {
    ...options,
    mail,
    assets: findConsoleAssets(),
    seals: createCsrfAndFlash(secret, baseUrl),
    once: createOneTimeCookie(secret, baseUrl, now),
    sessions: createSessions({
      ...{ sql, now, log, baseUrl, secret },
      async sendReset(person, token) {
        const at = now()
        const until = new Date(at.getTime() + resetSeconds * 1000)
        await mail?.(resetMail(newId('ml', at), baseUrl, person, token), until)
      },
    }),
  }
  const answer = createPipeline(deps)
  const app = new Elysia()
  const mount = (method: string, path: string, target: RouteOrNone) => {
    // A path without parameters comes without `params`.
    const patience = typeof target === 'object' ? target.timeoutSeconds : undefined
    const handler = ({ request, params = {}, server }: Asked) => {
      if (patience !== undefined) server?.timeout(request, patience)
      return answer(target, request, params, addressOf(request))
    }
    app.route(method, path, handler, { parse: 'none' })
  }
  for (const route of routes) {
    for (const method of route.method === 'GET' ? ['GET', 'HEAD'] : ['POST']) {
      mount(method, route.path, route)
    }
  }
  const headers = securityHeaders(baseUrl)
  for (const asset of Object.values(deps.assets)) {
    app.get(asset.path, ({ request }) => assetResponse(request, asset, headers))
  }
  mount('ALL', '/*', 'nothing')
  return app
}
