import type { Children } from '@kitajs/html'
import { toBody } from '../../../lib/http/index.ts'
import type { ConsoleAssets } from '../../assets.ts'
import { attribute } from '../../attribute.ts'
import { compressed } from '../../http/compressed.ts'
import { type ConsoleRequest, isMemberRequest, type MemberRequest } from '../../http/context.ts'
import { policyWithImages } from '../../http/headers.ts'
import { showsImages } from '../../http/responses.ts'
import type { Translate } from '../../locales/index.ts'
import {
  AccountMenu,
  CommandPalette,
  MainNav,
  type NavSection,
  SearchLink,
  TeamMenu,
} from './nav.tsx'

/** The scripts of all pages, in the order in which they run. */
const commonScripts = [
  'translate.js',
  'announce.js',
  'sign-in-dialog.js',
  'drafts.js',
  'send-forms.js',
  'command-palette.js',
  'console.js',
  'live.js',
] as const

interface DocumentProps {
  context: ConsoleRequest
  title: string
  class: string
  scripts?: readonly (keyof ConsoleAssets)[]
  laterScripts?: readonly (keyof ConsoleAssets)[]
  children: Children
}

function Document({
  context,
  title,
  class: className,
  scripts = [],
  laterScripts = [],
  children,
}: DocumentProps) {
  const {
    t,
    deps: { assets },
  } = context
  const all = [...commonScripts, ...scripts]
  return (
    <html lang={t.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content="includeIndicatorCSS:false" />
        <title safe>{`${title} · Tidings`}</title>
        <link rel="icon" href={assets['icon.svg'].path} type="image/svg+xml" />
        <link rel="stylesheet" href={assets['console.css'].path} />
        <script type="application/json" id="script-texts">
          {scriptTexts(t, [...all, ...laterScripts])}
        </script>
        {laterScripts.length > 0 ? (
          <script type="application/json" id="later-scripts">
            {JSON.stringify(laterScripts.map((name) => assets[name].path)) as 'safe'}
          </script>
        ) : null}
        {all.map((name) => (
          <script defer src={assets[name].path}></script>
        ))}
      </head>
      <body class={className} {...(isMemberRequest(context) ? localeAttributes(context) : {})}>
        {children}
      </body>
    </html>
  )
}

/** The texts of scripts as JSON without `<`, which could end the element. */
const scriptTexts = (t: Translate, scripts: readonly string[]) =>
  JSON.stringify(t.forScripts(scripts)).replaceAll('<', '\\u003c') as 'safe'

/** What the scripts know about the person. */
const localeAttributes = ({ member, signedIn, userLocale }: MemberRequest) => ({
  'data-account': member.id,
  'data-team': member.team_id,
  'data-email': attribute(signedIn.account.email),
  'data-locale': userLocale.locale,
  'data-time-zone': attribute(userLocale.timeZone ?? ''),
  'data-time-zone-chosen': member.time_zone_chosen ? '' : undefined,
})

interface LayoutOptions {
  title: string
  /** The section that the navigation marks as current, or null. */
  section: NavSection | null
  /** The HTTP status; 200 by default. */
  status?: number
  /** The additional scripts of this page, by their names in `assets.ts`. */
  scripts?: readonly (keyof ConsoleAssets)[]
  /** The scripts that a script of this page loads when they are needed. */
  laterScripts?: readonly (keyof ConsoleAssets)[]
  /** The page shows no secret, so that it may be compressed. */
  isCompressed?: boolean
}

/** A complete page for a member: navigation, the flash message and `body`. */
export async function layout(
  context: MemberRequest,
  {
    title,
    section,
    status = 200,
    scripts = [],
    laterScripts = [],
    isCompressed = false,
  }: LayoutOptions,
  body: JSX.Element,
): Promise<Response> {
  const { t } = context
  const content = await body
  const hasDraft = content.includes(' data-draft')
  const all = [
    ...(content.includes(' data-hx-') ? (['htmx.js'] as const) : []),
    ...(hasDraft ? (['autosave.js'] as const) : []),
    ...scripts,
  ]

  return await htmlResponse(
    context,
    status,
    <Document context={context} title={title} class="app" scripts={all} laterScripts={laterScripts}>
      <a class="skip" href="#main">
        {t('layout.skip_to_content')}
      </a>
      <header class="sidebar">
        <TeamMenu context={context} />
        <SearchLink t={t} section={section} />
        <MainNav context={context} section={section} />
        <AccountMenu context={context} section={section} />
      </header>
      <main id="main">
        <FlashNotice context={context} />
        {content as 'safe'}
      </main>
      <CommandPalette t={t} />
    </Document>,
    isCompressed,
  )
}

interface BareLayoutOptions extends Omit<LayoutOptions, 'section' | 'isCompressed'> {
  /** The name of the team on a page for its readers, who know no console and no API. */
  team?: string
  /** The page is for people who know no console and no API, and of whose team nothing is known. */
  isForReaders?: boolean
}

/** A complete page for a person who is not signed in: one centered card. */
export async function bareLayout(
  context: ConsoleRequest,
  { title, team, isForReaders = false, status = 200, scripts = [] }: BareLayoutOptions,
  body: JSX.Element,
): Promise<Response> {
  const { t } = context
  return await htmlResponse(
    context,
    status,
    <Document context={context} title={title} class="signed-out" scripts={scripts}>
      <header class="brand">
        {team === undefined ? (
          <a href={isForReaders ? undefined : '/'}>
            <img src={context.deps.assets['icon.svg'].path} alt="" width="28" height="28" />
            Tidings
          </a>
        ) : (
          <span safe>{team}</span>
        )}
      </header>
      <main id="main" class="card">
        <FlashNotice context={context} />
        {body}
      </main>
      {team === undefined && !isForReaders ? (
        <footer class="muted">
          <a href="/docs">{t('layout.api_documentation')}</a>
        </footer>
      ) : (
        ''
      )}
    </Document>,
  )
}

function FlashNotice({ context: { flash } }: { context: ConsoleRequest }) {
  if (!flash) return ''
  const { tone, text } = flash.consume()
  return (
    <p class={`notice ${tone}`} role="status" safe>
      {text}
    </p>
  )
}

async function htmlResponse(
  context: ConsoleRequest,
  status: number,
  document: JSX.Element,
  isCompressed = false,
): Promise<Response> {
  const html = `<!doctype html>${await document}`
  const headers: Record<string, string> = {
    'content-type': 'text/html; charset=utf-8',
    ...(showsImages(context) && { 'content-security-policy': policyWithImages }),
  }
  return isCompressed
    ? compressed(context.request, html, { status, headers })
    : new Response(toBody(html), { status, headers })
}

interface PageHeaderProps {
  title: string
  lead?: string
  /** The page that this page belongs to. */
  parent?: { href: string; title: string }
  /** The actions of the page. */
  children?: Children
}

/** The header of a page: a link to its parent, title, lead and actions. */
export function PageHeader({ title, lead, parent, children }: PageHeaderProps) {
  return (
    <div class="page-header">
      <div>
        {parent ? (
          <p class="breadcrumb">
            <a href={attribute(parent.href)} safe>
              {parent.title}
            </a>
          </p>
        ) : null}
        <h1 safe>{title}</h1>
        {lead ? (
          <p class="lead" safe>
            {lead}
          </p>
        ) : null}
      </div>
      <div class="page-actions">{children}</div>
    </div>
  )
}
