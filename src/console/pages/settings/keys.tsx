import { Elysia } from 'elysia'
import type { Scope } from '../../../contract/vocabulary.ts'
import {
  findKey as findKeyById,
  type Key,
  keyState,
  listKeys,
} from '../../../features/api-keys/index.ts'
import { attribute } from '../../attribute.ts'
import { DateTime } from '../../components/date-time.tsx'
import { Icon } from '../../components/icon.tsx'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { providerName } from '../../components/provider.ts'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import type { Reader } from '../../http/reader.ts'

async function show(context: MemberRequest): Promise<Response> {
  const keys = await listKeys(context.ctx)
  const at = context.deps.now()
  const active = keys.filter((key) => keyState(key, at) === 'active')
  const inactive = keys.filter((key) => keyState(key, at) !== 'active')
  return await settingsLayout(
    context,
    {
      tab: '/settings/keys',
      title: 'API keys',
      lead: 'Programs add and read content with a key. Give every program its own key, with no more scopes than it needs.',
      action: (
        <a class="button primary" href="/settings/keys/new">
          <Icon name="plus" />
          New key
        </a>
      ),
    },
    <>
      {keys.length === 0 ? <EmptyState /> : null}
      {active.length > 0 ? <KeyTable context={context} keys={active} at={at} /> : null}
      {inactive.length > 0 ? (
        <details>
          <summary safe>{`Keys that no longer work (${inactive.length})`}</summary>
          <KeyTable context={context} keys={inactive} at={at} />
        </details>
      ) : null}
    </>,
  )
}

function EmptyState() {
  return (
    <div class="empty">
      <h2>No keys yet</h2>
      <p>
        Create one, and the next page shows a command to try it. The{' '}
        <a href="/docs">API documentation</a> describes every operation.
      </p>
      <a class="button" href="/settings/keys/new">
        Create a key
      </a>
    </div>
  )
}

function KeyTable({
  context,
  keys,
  at,
}: {
  context: MemberRequest
  keys: readonly Key[]
  at: Date
}) {
  return (
    <div class="table-container">
      <table class="responsive-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Scopes</th>
            <th scope="col">Last used</th>
            <th scope="col">Expires</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow context={context} item={key} at={at} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function KeyRow({ context, item, at }: { context: MemberRequest; item: Key; at: Date }) {
  const active = keyState(item, at) === 'active'
  return (
    <tr>
      <th scope="row">
        <span safe>{item.name}</span>
        <br />
        <span class="mono muted" safe>{`${item.prefix}…`}</span>
        {item.last_used_in_url_at && active ? (
          <InUrlWarning reader={context.reader} at={item.last_used_in_url_at} />
        ) : null}
      </th>
      <td data-label="Scopes">
        <KeyScopes deps={context.deps} item={item} />
      </td>
      <td data-label="Last used">
        {item.last_used_at ? <DateTime reader={context.reader} at={item.last_used_at} /> : 'Never'}
      </td>
      <td data-label="Expires">
        <KeyExpiry reader={context.reader} item={item} />
      </td>
      <td class="actions">{active ? <KeyActions item={item} /> : null}</td>
    </tr>
  )
}

function InUrlWarning({ reader, at }: { reader: Reader; at: Date }) {
  return (
    <p class="badge warning wrap">
      Used in a URL, <DateTime reader={reader} at={at} />: logs may have kept it. Rotate it, and
      send it in the Authorization header.
    </p>
  )
}

/** The labels of the scopes. */
export const scopeLabels = {
  read: 'Read',
  write: 'Write',
  send_preview: 'Send previews',
} as const satisfies Record<Scope, string>

/** The scopes and restrictions of a key. */
export function KeyScopes({
  deps,
  item,
}: {
  deps: ConsoleDeps
  item: Pick<Key, 'scopes' | 'ingest_only' | 'allow_auto_ready' | 'provider'>
}) {
  return (
    <div class="badges">
      {item.scopes.map((scope) => (
        <span class="badge accent">{scopeLabels[scope]}</span>
      ))}
      {item.ingest_only ? <span class="badge">Ingest only</span> : null}
      {item.allow_auto_ready ? null : <span class="badge">Drafts only</span>}
      {item.provider ? (
        <span class="badge" safe>{`For ${providerName(deps, item.provider)}`}</span>
      ) : null}
    </div>
  )
}

function KeyExpiry({ reader, item }: { reader: Reader; item: Key }) {
  if (item.revoked_at) {
    return (
      <>
        Revoked <DateTime reader={reader} at={item.revoked_at} />
      </>
    )
  }
  return item.expires_at ? <DateTime reader={reader} at={item.expires_at} /> : 'Never'
}

function KeyActions({ item: { id, name, provider } }: { item: Key }) {
  return (
    <div class="row">
      {provider ? null : (
        <a
          class="button small"
          href={`/settings/keys/${id}/rotate`}
          aria-label={`Rotate ${attribute(name)}`}
        >
          Rotate
        </a>
      )}
      <a
        class="button small danger"
        href={`/settings/keys/${id}/revoke`}
        aria-label={`Revoke ${attribute(name)}`}
      >
        Revoke
      </a>
    </div>
  )
}

/** The key in the path; undefined when the team has no such key. */
export async function findKey(context: MemberRequest): Promise<Key | undefined> {
  return await findKeyById(context.ctx, context.params['id'] ?? '')
}

/** The route of the list of keys. */
export const keyListPages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get('/settings/keys', show, { role: 'admin' })
