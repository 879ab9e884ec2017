import { Elysia } from 'elysia'
import type { IngestPayload } from '../../../../contract/blocks/ingest.ts'
import type { Scope } from '../../../../contract/vocabulary.ts'
import { keyState } from '../../../../features/api-keys/index.ts'
import { notFound } from '../../../../lib/errors.ts'
import { CodeSnippet, CopyField } from '../../../components/form/copy-field.tsx'
import { Icon } from '../../../components/icon.tsx'
import { settingsLayout } from '../../../components/layout/settings-layout.tsx'
import { access } from '../../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../../http/context.ts'
import { redirect, withCookies } from '../../../http/responses.ts'
import type { Translate } from '../../../locales/index.ts'
import { findKeyInPath } from './find-key.ts'

const subjectOf = (keyId: string) => `key/${keyId}`

/** Redirects to the page that shows a new key once; `note` is a message about the replaced key. */
export function showKeyOnce(
  context: MemberRequest,
  { id, token }: { id: string; token: string },
  note?: string,
): Response {
  const { deps, signedIn } = context
  const cookie = deps.oneTimeCookie.set(signedIn.sessionId, subjectOf(id), token)
  return redirect(context, `/settings/keys/${id}/value`, {
    cookies: [cookie],
    ...(note && { flash: { tone: 'success', text: note } }),
  })
}

/** Shows the value of a key, once and only directly after its creation. */
async function show(context: MemberRequest): Promise<Response> {
  const { deps, signedIn, request, t } = context
  const key = await findKeyInPath(context)
  if (!key || keyState(key, deps.now()) !== 'active') throw notFound('This key')
  const cookies = request.headers.get('cookie') ?? ''
  const taken = deps.oneTimeCookie.consume(cookies, signedIn.sessionId, subjectOf(key.id))
  const title = t('keys.the_key', { name: key.name })
  const response = await settingsLayout(
    context,
    { tab: '/settings/keys', title },
    taken ? (
      <KeyValue t={t} baseUrl={deps.baseUrl} token={taken.value} scopes={key.scopes} />
    ) : (
      <AlreadyShown t={t} id={key.id} />
    ),
  )
  return withCookies(response, taken ? [taken.clear] : [])
}

interface KeyValueProps {
  t: Translate
  baseUrl: string
  token: string
  scopes: readonly Scope[]
}

function KeyValue({ t, baseUrl, token, scopes }: KeyValueProps) {
  return (
    <div class="narrow">
      <p class="notice warning">
        <Icon name="warning" /> {t('keys.this_is_the_only_time')}
      </p>
      <CopyField t={t} id="key" label={t('keys.key')} value={token} />
      <h2>{t('keys.try_it')}</h2>
      {scopes.includes('write') ? (
        <>
          <p>{t('keys.in_a_terminal_this_adds')}</p>
          <CodeSnippet
            t={t}
            id="try"
            label={t('keys.the_win')}
            text={ingestCommand(baseUrl, token, win)}
          />
          <p>{t('keys.this_adds_a_release')}</p>
          <CodeSnippet
            t={t}
            id="release"
            label={t('keys.the_release')}
            text={ingestCommand(baseUrl, token, release)}
          />
        </>
      ) : (
        <>
          <p>{t('keys.in_a_terminal_this_shows')}</p>
          <CodeSnippet
            t={t}
            id="try"
            label={t('keys.the_command')}
            text={pingCommand(baseUrl, token)}
          />
        </>
      )}
      <p class="row">
        <a class="button" href="/library">
          {t('keys.open_the_library')}
        </a>
        <a href="/docs">{t('keys.api_documentation')}</a>
      </p>
    </div>
  )
}

function AlreadyShown({ t, id }: { t: Translate; id: string }) {
  return (
    <div class="narrow">
      <p class="notice">{t('keys.the_key_was_shown_once')}</p>
      <p>{t('keys.if_you_did_not_copy')}</p>
      <p class="row">
        <a class="button" href={`/settings/keys/${id}/rotate`}>
          {t('keys.rotate_the_key')}
        </a>
        <a href="/settings/keys">{t('keys.back_to_the_keys')}</a>
      </p>
    </div>
  )
}

const win = {
  title: 'Our first customer in Norway',
  body: 'Signed this morning. Thank you, sales and support.',
  block_type: 'wins_milestones',
} satisfies IngestPayload

const release = {
  title: 'Version 2.0 is out',
  body: 'Search is twice as fast, and there is a dark mode.',
} satisfies IngestPayload

const bearer = (token: string) => `-H 'Authorization: Bearer ${token}'`

const pingCommand = (baseUrl: string, token: string) =>
  `curl ${baseUrl}/api/v1/ping ${bearer(token)}`

/** A shell command. The payload must not contain a single quote. */
function ingestCommand(baseUrl: string, token: string, news: IngestPayload): string {
  return [
    `curl ${baseUrl}/api/v1/webhooks/ingest`,
    bearer(token),
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(news)}'`,
  ].join(' \\\n  ')
}

/** The route that shows a new key. */
export const keyValuePages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get('/settings/keys/:id/value', show, { role: 'admin' })
