/**
 * The console: pages for people, rendered on the server. To add a page:
 *
 * 1. Write the handler in `pages/<group>/<name>.tsx` and add its route to the plugin at the end of the
 *    file: `.get(path, show, { role: 'viewer' })`, `.post(path, save, { role: 'editor', body: Form })`.
 *    `http/access.ts` describes the options. Origin, session, team, role, CSRF token and form are
 *    checked before the handler runs. `pages/index.ts` lists the plugins.
 * 2. The handler calls features with `context.ctx` and returns `layout(context, { title, section },
 *    <…/>)`, or after a form `redirect(context, path, success('Done.'))`. An error that a feature
 *    throws becomes an error page; with `renderWithErrors`, `validation_failed` shows the form again.
 * 3. Put text into JSX with `safe` on the element (`<b safe>{name}</b>`): without it nothing is
 *    escaped, and `bun run check` rejects it. In attributes, text that somebody wrote is
 *    `attribute(text)`. Links that somebody typed were checked as `contentAddress` in the contract.
 * 4. Texts are in `locales/en.ts` and `locales/de.ts`: `context.t('page.key')`. It needs no `safe` unless
 *    it has values.
 * 5. Forms are `<Form context={context} action="…">` with the parts of `components/form/form.tsx`, which
 *    adds the CSRF token. A handler that creates or deletes something is wrapped by `once`, so that two clicks do it
 *    once. Everything works without JavaScript; htmx only makes it quicker.
 * 6. No inline style and no inline script: the content security policy forbids both. Styles go into
 *    `assets/styles/`, one file per section, listed in `assets.ts`.
 * 7. Every change gets an audit log entry: the feature function that changes the data writes it in the same transaction.
 */
import { Elysia } from 'elysia'
import { queueAccountEmail } from '../features/account-emails/index.ts'
import { findAccount } from '../features/accounts/index.ts'
import { listMemberships } from '../features/members/index.ts'
import { createSessions, type IdentityProvider, resetSeconds } from '../features/sessions/index.ts'
import { assetResponse } from '../lib/assets.ts'
import type { Sql } from '../lib/database/db.ts'
import { AppError } from '../lib/errors.ts'
import { contextOf, type Drain, methodNotAllowed, methodsIn } from '../lib/http/index.ts'
import { newId } from '../lib/ids.ts'
import { createEncryption } from '../lib/secrets/encryption.ts'
import { findConsoleAssets } from './assets.ts'
import { readProviderLogos } from './components/provider-logo.tsx'
import { resetEmail } from './emails/account-emails.ts'
import { access, findState } from './http/access.ts'
import type { ConsoleDeps, ConsoleRequest } from './http/context.ts'
import { createCsrfAndFlash } from './http/forms/csrf-and-flash.ts'
import { createSenderCookie } from './http/forms/sender-cookie.ts'
import { redirect } from './http/responses.ts'
import { createOneTimeCookie } from './http/sign-in/one-time-cookie.ts'
import { loadMembership } from './http/sign-in/session.ts'
import { createLive } from './live/live.ts'
import { preferredLanguage, translateTo } from './locales/index.ts'
import { pages } from './pages/index.ts'

export { changeEmail } from './emails/change-email.ts'
export { digestEmail } from './emails/digest-email.ts'
export { planEmails } from './emails/plan-emails.ts'
export { prepareFirstRun } from './first-run.ts'
export type { Integrations } from './http/context.ts'
export { consoleRouteGroup } from './http/route-group.ts'

/** How people can sign in. */
export interface SignInSettings {
  identityProviders: readonly IdentityProvider[]
  /** Whether people can sign in with a password or a passkey. */
  passwordSignIn: boolean
  /** Who creates teams in the console; nobody by default. */
  createTeams?: ConsoleDeps['createTeams']
}

/** The dependencies of the pages that the caller has. */
type GivenDeps = Pick<
  ConsoleDeps,
  | 'sql'
  | 'now'
  | 'log'
  | 'queue'
  | 'installation'
  | 'baseUrl'
  | 'phoneUrl'
  | 'aiDraftsPerMonth'
  | 'countNewsletters'
  | 'typedText'
  | 'bodyConversion'
  | 'integrations'
  | 'drafts'
  | 'images'
>

export interface ConsoleOptions extends GivenDeps {
  /** The installation's secret. */
  secret: string
  /** How people can sign in. */
  signIn: SignInSettings
  /** Whether emails are sent; otherwise pages show links to copy. */
  mail: boolean
  drain: Drain
}

/** Creates the dependencies of the pages and the route group. */
export function createConsoleDeps({ secret, signIn, ...options }: ConsoleOptions): ConsoleDeps {
  const { sql, now, log, baseUrl, queue, drain } = options
  const live = createLive({ sql, now, log })
  drain.started.addEventListener('abort', () => live.close())
  const encryption = createEncryption(secret)
  const mail: ConsoleDeps['mail'] = options.mail
    ? (txCtx, email, expiresAt) =>
        queueAccountEmail({ sql: txCtx, now, encryption, queue }, { mail: email, expiresAt })
    : null
  const emailQueue = options.mail ? queue : null
  return {
    ...options,
    emailQueue,
    passwordSignIn: signIn.passwordSignIn,
    createTeams: signIn.createTeams ?? 'nobody',
    mail,
    live,
    assets: findConsoleAssets(),
    logos: readProviderLogos(),
    csrfAndFlash: createCsrfAndFlash(secret, baseUrl),
    oneTimeCookie: createOneTimeCookie(secret, baseUrl, now),
    senderCookie: createSenderCookie(secret, baseUrl),
    sessions: createSessions({
      sql,
      now,
      log,
      baseUrl,
      secret,
      emailQueue,
      identityProviders: signIn.identityProviders,
      async sendReset(person, token) {
        const at = now()
        const until = new Date(at.getTime() + resetSeconds * 1000)
        const t = translateTo(await languageOfPerson(sql, person.email))
        await mail?.(
          sql,
          resetEmail(t, { id: newId('ml', at), baseUrl, email: person.email, token }),
          until,
        )
      },
    }),
  }
}

/** The language in which a person reads emails about the account: the chosen one, or that of the team. */
async function languageOfPerson(sql: Sql, email: string) {
  const account = await findAccount({ sql }, email)
  const [membership] = account ? await listMemberships(sql, account.id) : []
  return preferredLanguage([membership?.language, membership?.team_language])
}

/** The Elysia app with all pages, all assets and a page for unknown paths. */
export function createConsole(deps: ConsoleDeps) {
  const app = new Elysia({ detail: { hide: true } }).use(access(deps)).use(pages(deps))
  for (const asset of Object.values(deps.assets)) {
    app.get(asset.path, ({ request }) => assetResponse(request, asset, {}))
  }
  const methodsOf = methodsIn(app.routes)
  return app.all('/*', (context) => showUnknown(context, methodsOf), { public: true })
}

/**
 * The address of a form, which browsers show when the form has errors, leads to the page above it. Throws
 * `method_not_allowed` for a page that is only read, and `not_found`. Members see the navigation on the error page.
 */
async function showUnknown(
  context: ConsoleRequest,
  methodsOf: (path: string) => string[],
): Promise<Response> {
  const { request } = context
  const { path } = contextOf(request)
  const methods = methodsOf(path)
  const isRead = ['GET', 'HEAD'].includes(request.method)
  if (isRead && methods.length > 0) return redirect(context, pageAbove(path, methodsOf))
  const shown = findState(request)?.context
  if (shown?.signedIn) await loadMembership(shown)
  throw methods.length > 0
    ? methodNotAllowed(methods)
    : new AppError('not_found', 'There is no page at this address.')
}

/** The nearest page among the paths above an address. */
function pageAbove(path: string, methodsOf: (path: string) => string[]): string {
  const above = path.slice(0, path.lastIndexOf('/'))
  if (above === '') return '/'
  return methodsOf(above).includes('GET') ? above : pageAbove(above, methodsOf)
}
