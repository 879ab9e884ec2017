import { inputOf } from '../../../../contract/settings.ts'
import {
  type Connection,
  type Integration,
  webhookUrl,
} from '../../../../features/connections/index.ts'
import { CopyField } from '../../../components/form/copy-field.tsx'
import { Form } from '../../../components/form/form.tsx'
import { Icon } from '../../../components/icon.tsx'
import type { MemberRequest } from '../../../http/context.ts'
import type { Translate } from '../../../locales/index.ts'
import { SetupText } from '../connect.tsx'

/** Secrets of a connection, which are shown once. */
export function RevealedSecrets({
  t,
  secrets,
  labelOf,
}: {
  t: Translate
  secrets: Record<string, unknown>
  /** What the form calls a setting. */
  labelOf(setting: string): string
}) {
  const names = Object.entries(secrets)
  if (names.length === 0) return ''
  return (
    <section class="card narrow" aria-labelledby="secrets">
      <h2 id="secrets">{t('integrations.copy_the_secret_now')}</h2>
      <p class="notice warning">
        <Icon name="warning" /> {t('integrations.it_is_shown_only_once')}
      </p>
      {names.map(([name, value]) => (
        <CopyField
          t={t}
          id={`secret-${name}`}
          label={labelOf(name)}
          value={[value].flat().join(', ')}
        />
      ))}
    </section>
  )
}

const UnreadableConnection = ({ t }: { t: Translate }) => (
  <section class="card" aria-labelledby="setup">
    <h2 id="setup">{t('integrations.this_connection_cannot_be_read')}</h2>
    <p>{t('integrations.the_secret_of_the_installation')}</p>
  </section>
)

/** What an admin enters at the provider, and the key of the connection. */
export function WebhookSettings({
  context,
  connection,
  integration,
  isInstalled,
  isRevealing,
  labelOf,
}: {
  context: MemberRequest
  connection: Connection
  integration: Integration | undefined
  /** Whether the operator's app was added, which has an address of its own. */
  isInstalled: boolean
  /** Whether the page shows its secrets now. */
  isRevealing: boolean
  /** What the form calls a setting. */
  labelOf(setting: string): string
}) {
  const { t } = context
  const { baseUrl } = context.deps
  const { id, adapter, webhookToken, unseenSecrets, unknownEvents } = connection
  if (!connection.readable) return <UnreadableConnection t={t} />
  const url = webhookUrl(baseUrl, adapter, webhookToken)
  const hasAddress = integration?.polling === undefined && !isInstalled
  return (
    <section class="card" aria-labelledby="setup">
      <h2 id="setup">{t(hasAddress ? 'integrations.webhook' : 'integrations.key')}</h2>
      {hasAddress ? (
        <CopyField t={t} id="webhook-url" label={t('integrations.webhook_url')} value={url} />
      ) : (
        ''
      )}
      {unseenSecrets.length > 0 ? (
        <Form context={context} action={`/integrations/${id}/reveal`} class="row">
          <p safe>
            {t('integrations.stored_encrypted_shown_once', {
              value: new Intl.ListFormat(t.language).format(unseenSecrets.map(labelOf)),
            })}
          </p>
          <button type="submit">{t('integrations.show_once')}</button>
        </Form>
      ) : null}
      {integration && hasAddress && unseenSecrets.length === 0 && !isRevealing ? (
        <StoredSecrets {...{ t, connection, integration, labelOf }} />
      ) : null}
      {integration && hasAddress ? (
        <SetupText t={t} integration={integration} webhookUrl={url} base={baseUrl} />
      ) : null}
      <Form context={context} action={`/integrations/${id}/rotate-key`} class="row">
        <p safe>
          {t('integrations.api_key_only_tidings_uses', { keyPrefix: connection.keyPrefix })}
        </p>
        <button type="submit">{t('integrations.replace_the_key')}</button>
      </Form>
      {unknownEvents > 0 ? (
        <p class="muted" safe>
          {t('integrations.event', { count: unknownEvents })}
        </p>
      ) : null}
    </section>
  )
}

/** What to do when somebody no longer has a secret that the provider needs, because nobody can read it again. */
function StoredSecrets({
  t,
  connection: { id, secrets },
  integration,
  labelOf,
}: {
  t: Translate
  connection: Connection
  integration: Integration
  labelOf(setting: string): string
}) {
  const names = Object.entries(integration.settings.entries)
    .filter(([name, schema]) => inputOf(schema) === 'own-secret' && secrets.includes(name))
    .map(([name]) => labelOf(name))
  if (names.length === 0) return ''
  return (
    <p class="muted">
      {t.html('integrations.stored_encrypted_not_shown', {
        value: () => <span safe>{new Intl.ListFormat(t.language).format(names)}</span>,
        link: (text) => <a href={`/integrations/${id}/settings`}>{text}</a>,
      })}
    </p>
  )
}
