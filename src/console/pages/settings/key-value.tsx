import { Elysia } from 'elysia'
import type { IngestPayload } from '../../../contract/ingest.ts'
import type { Scope } from '../../../contract/vocabulary.ts'
import { keyState } from '../../../features/api-keys/index.ts'
import { notFound } from '../../../lib/errors.ts'
import { CodeSnippet, CopyField } from '../../components/form/copy-field.tsx'
import { Icon } from '../../components/icon.tsx'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import { redirect } from '../../http/responses.ts'
import { findKey } from './keys.tsx'

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
  const { deps, signedIn, request } = context
  const key = await findKey(context)
  if (!key || keyState(key, deps.now()) !== 'active') throw notFound('This key')
  const cookies = request.headers.get('cookie') ?? ''
  const taken = deps.oneTimeCookie.consume(cookies, signedIn.sessionId, subjectOf(key.id))
  const title = `The key “${key.name}”`
  const response = await settingsLayout(
    context,
    { tab: '/settings/keys', title },
    taken ? (
      <KeyValue baseUrl={deps.baseUrl} token={taken.value} scopes={key.scopes} />
    ) : (
      <AlreadyShown id={key.id} />
    ),
  )
  if (taken) response.headers.append('set-cookie', taken.clear)
  return response
}

interface KeyValueProps {
  baseUrl: string
  token: string
  scopes: readonly Scope[]
}

function KeyValue({ baseUrl, token, scopes }: KeyValueProps) {
  return (
    <div class="narrow">
      <p class="notice warning">
        <Icon name="warning" /> This is the only time you see it. Copy it now and store it like a
        password.
      </p>
      <CopyField id="key" label="Key" value={token} />
      <h2>Try it</h2>
      {scopes.includes('write') ? (
        <>
          <p>In a terminal, this adds a win to the library:</p>
          <CodeSnippet id="try" label="the win" text={ingestCommand(baseUrl, token, win)} />
          <p>This adds a release:</p>
          <CodeSnippet
            id="release"
            label="the release"
            text={ingestCommand(baseUrl, token, release)}
          />
        </>
      ) : (
        <>
          <p>In a terminal, this shows to whom the key belongs:</p>
          <CodeSnippet id="try" label="the command" text={pingCommand(baseUrl, token)} />
        </>
      )}
      <p class="row">
        <a class="button" href="/library">
          Open the library
        </a>
        <a href="/docs">API documentation</a>
      </p>
    </div>
  )
}

function AlreadyShown({ id }: { id: string }) {
  return (
    <div class="narrow">
      <p class="notice">The key was shown once and cannot be shown again.</p>
      <p>If you did not copy it, rotate it: this creates a new key with the same scopes.</p>
      <p class="row">
        <a class="button" href={`/settings/keys/${id}/rotate`}>
          Rotate the key
        </a>
        <a href="/settings/keys">Back to the keys</a>
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
