import { Elysia } from 'elysia'
import { type Key, keyState, listKeys } from '../../../../features/api-keys/index.ts'
import { attribute } from '../../../attribute.ts'
import { DateTime } from '../../../components/dates/date-time.tsx'
import { RelativeTime } from '../../../components/dates/relative-time.tsx'
import { Icon } from '../../../components/icon.tsx'
import { settingsLayout } from '../../../components/layout/settings-layout.tsx'
import { IntegrationLogo } from '../../../components/provider-logo.tsx'
import { providerName } from '../../../components/provider-name.ts'
import { Table } from '../../../components/table.tsx'
import { access } from '../../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../../http/context.ts'
import type { UserLocale } from '../../../http/user-locale.ts'
import type { Translate } from '../../../locales/index.ts'
import { scopeNames } from './scopes.tsx'

async function show(context: MemberRequest): Promise<Response> {
  const { t } = context
  const keys = await listKeys(context.ctx)
  const at = context.deps.now()
  const active = keys.filter((key) => keyState(key, at) === 'active')
  const inactive = keys.filter((key) => keyState(key, at) !== 'active')
  return await settingsLayout(
    context,
    {
      tab: '/settings/keys',
      title: t('keys.api_keys'),
      lead: t('keys.programs_add_and_read_content'),
      isCompressed: true,
      action: (
        <a class="button primary" href="/settings/keys/new">
          <Icon name="plus" />
          {t('keys.new_key')}
        </a>
      ),
    },
    <>
      {active.length === 0 ? (
        <EmptyState
          t={t}
          title={t(inactive.length > 0 ? 'keys.no_active_keys' : 'keys.no_keys_yet')}
        />
      ) : (
        <KeyTable context={context} keys={active} at={at} />
      )}
      {inactive.length > 0 ? (
        <details>
          <summary safe>{t('keys.keys_that_no_longer_work', { length: inactive.length })}</summary>
          <KeyTable context={context} keys={inactive} at={at} />
        </details>
      ) : null}
    </>,
  )
}

function EmptyState({ t, title }: { t: Translate; title: string }) {
  return (
    <div class="empty">
      <h2 safe>{title}</h2>
      <p>
        {t.html('keys.create_one_and_the_next', { link: (text) => <a href="/docs">{text}</a> })}
      </p>
      <a class="button" href="/settings/keys/new">
        {t('keys.create_a_key')}
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
  const { t } = context
  return (
    <Table
      columns={[
        t('common.name'),
        t('keys.key'),
        t('keys.scopes'),
        t('keys.last_used'),
        t('keys.expires'),
      ]}
      actions={t('common.actions')}
      class="single-line-rows"
    >
      {keys.map((key) => (
        <KeyRow context={context} item={key} at={at} />
      ))}
    </Table>
  )
}

function KeyRow({ context, item, at }: { context: MemberRequest; item: Key; at: Date }) {
  const { t } = context
  const active = keyState(item, at) === 'active'
  return (
    <tr>
      <th scope="row">
        <KeyName context={context} item={item} />
        {item.last_used_in_url_at && active ? (
          <InUrlWarning t={t} userLocale={context.userLocale} at={item.last_used_in_url_at} />
        ) : null}
      </th>
      <td data-label={t('keys.key')}>
        <span class="mono muted" safe>{`${item.prefix}…`}</span>
      </td>
      <td data-label={t('keys.scopes')}>
        <span class="cut" title={scopeNames(t, item).join(' · ')} safe>
          {scopeNames(t, item).join(' · ')}
        </span>
      </td>
      <td data-label={t('keys.last_used')}>
        {item.last_used_at ? (
          <RelativeTime
            userLocale={context.userLocale}
            at={item.last_used_at}
            now={context.deps.now()}
          />
        ) : (
          t('keys.never')
        )}
      </td>
      <td data-label={t('keys.expires')}>
        <KeyExpiry t={t} userLocale={context.userLocale} item={item} />
      </td>
      <td class="actions">{active ? <KeyActions t={t} item={item} /> : null}</td>
    </tr>
  )
}

/** The name of a key, with the logo of the provider whose connection uses it. */
function KeyName({ context, item: { name, provider } }: { context: MemberRequest; item: Key }) {
  const { t, deps } = context
  return (
    <span class="cell">
      {provider ? (
        <span title={attribute(t('keys.for', { provider: providerName(deps, provider) }))}>
          <IntegrationLogo logos={deps.logos} catalog={deps.integrations.catalog} slug={provider} />
          <span class="visually-hidden" safe>
            {t('keys.for', { provider: providerName(deps, provider) })}
          </span>
        </span>
      ) : null}
      <span class="cut" title={attribute(name)} safe>
        {name}
      </span>
    </span>
  )
}

function InUrlWarning({ t, userLocale, at }: { t: Translate; userLocale: UserLocale; at: Date }) {
  return (
    <p class="badge warning wrap">
      {t.html('keys.used_in_a_url_logs', {
        date: () => <DateTime userLocale={userLocale} at={at} />,
      })}
    </p>
  )
}

function KeyExpiry({ t, userLocale, item }: { t: Translate; userLocale: UserLocale; item: Key }) {
  const { revoked_at, expires_at } = item
  if (revoked_at) {
    return t.html('keys.revoked', {
      date: () => <DateTime userLocale={userLocale} at={revoked_at} />,
    })
  }
  return expires_at ? <DateTime userLocale={userLocale} at={expires_at} /> : t('keys.never')
}

function KeyActions({ t, item: { id, name, provider } }: { t: Translate; item: Key }) {
  return (
    <div class="row">
      {provider ? null : (
        <a
          class="button small"
          href={`/settings/keys/${id}/rotate`}
          aria-label={t('keys.rotate_name', { name: attribute(name) })}
        >
          {t('keys.rotate')}
        </a>
      )}
      <a
        class="button small danger"
        href={`/settings/keys/${id}/revoke`}
        aria-label={t('keys.revoke_name', { name: attribute(name) })}
      >
        {t('keys.revoke')}
      </a>
    </div>
  )
}

/** The route of the list of keys. */
export const keyListPages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get('/settings/keys', show, { role: 'admin' })
