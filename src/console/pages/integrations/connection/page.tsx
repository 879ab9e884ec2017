import { Elysia } from 'elysia'
import { settingLabel } from '../../../../contract/settings.ts'
import {
  type Connection,
  type ConnectionHealth,
  findRegistration,
  getConnectionHealth,
  revealSecretsOnce,
  rotateConnectionKey,
  webhookUrl,
} from '../../../../features/connections/index.ts'
import { type Delivery, listNewestDeliveries } from '../../../../features/deliveries/index.ts'
import {
  ConnectionHealthDetails,
  ConnectionStateDetails,
  DeliveryStatusBadge,
  PollTimes,
} from '../../../components/connection-state.tsx'
import { connectionName } from '../../../components/provider-name.ts'
import { access } from '../../../http/access.ts'
import { type ConsoleDeps, connectionContext, type MemberRequest } from '../../../http/context.ts'
import { once } from '../../../http/forms/once.ts'
import { redirect, success } from '../../../http/responses.ts'
import type { UserLocale } from '../../../http/user-locale.ts'
import type { Translate } from '../../../locales/index.ts'
import { ReachabilityNotice, SetupGuide } from '../connect.tsx'
import { AddAppAgain } from '../install.tsx'
import { DeliveryList } from './deliveries.tsx'
import { connectionLayout } from './layout.tsx'
import { getConnectionInPath, integrationOf } from './load-connection.ts'
import { RevealedSecrets, WebhookSettings } from './webhook-settings.tsx'

async function connectionPage(
  context: MemberRequest,
  revealed: Record<string, unknown>,
): Promise<Response> {
  const { t, ctx, deps } = context
  const connection = await getConnectionInPath(context)
  const integration = integrationOf(context, connection)
  const newest = await listNewestDeliveries(ctx, [connection.id])
  const health = await getConnectionHealth(ctx, connection.id)
  const name = connectionName(context, connection)
  const path = `/integrations/${connection.id}`
  const guide = await integration?.page(context.userLocale.language)
  const labelOf = (setting: string) => guide?.labels.get(setting) || settingLabel(setting)
  const app = await integration?.appPackage?.(connection.settings, deps.baseUrl, deps.now())
  const actions = (
    <>
      {connection.isDisconnected && integration?.installer ? (
        <AddAppAgain t={t} integration={integration} />
      ) : null}
      {app ? (
        <a class="button" href={`${path}/app-package`} download="">
          {t('integrations.download_app')}
        </a>
      ) : null}
      <a class="button danger" href={`${path}/remove`}>
        {t('integrations.disconnect')}
      </a>
    </>
  )
  return await connectionLayout(
    context,
    { connection, title: name, tab: '', actions },
    <>
      {health.polling ? '' : <ReachabilityNotice t={t} baseUrl={deps.baseUrl} />}
      <ConnectionStatus
        t={t}
        userLocale={context.userLocale}
        path={path}
        health={health}
        newest={newest.get(connection.id)}
      />
      <RegistrationState context={context} connection={connection} />
      <RevealedSecrets t={t} secrets={revealed} labelOf={labelOf} />
      <WebhookSettings
        {...{ context, connection, integration, labelOf }}
        isInstalled={health.isInstalled}
        isRevealing={Object.keys(revealed).length > 0}
      />
      {newest.size === 0 && integration && !health.isInstalled ? (
        <SetupGuide
          title={t('integrations.next_steps')}
          html={
            guide?.remaining(
              webhookUrl(deps.baseUrl, connection.adapter, connection.webhookToken),
            ) ?? ''
          }
        />
      ) : (
        <DeliveryList context={context} connection={connection} />
      )}
    </>,
  )
}

/** The state of the connection. It refreshes until the newest delivery is processed. */
function ConnectionStatus({
  t,
  userLocale,
  path,
  health,
  newest,
}: {
  t: Translate
  userLocale: UserLocale
  path: string
  health: ConnectionHealth
  newest: Delivery | undefined
}) {
  const settled = newest && newest.status !== 'waiting'
  const poll = settled
    ? {}
    : {
        'data-hx-get': path,
        'data-hx-trigger': 'every 3s',
        'data-hx-select': '#state',
        // What has the focus or is being clicked stays in the page.
        'data-hx-swap': 'outerMorph',
      }
  return (
    <div
      id="state"
      class={newest ? 'status-panel settled' : 'status-panel'}
      role="status"
      {...poll}
    >
      <p>
        <ConnectionStateDetails t={t} userLocale={userLocale} health={health} newest={newest} />
      </p>
      <ConnectionHealthDetails t={t} health={health} />
      <PollTimes t={t} userLocale={userLocale} polling={health.polling} />
      {newest ? <NewestEvent t={t} newest={newest} shownReason={health.reason} /> : null}
    </div>
  )
}

/** Why the provider does not know the connection, such as the commands of its bot. */
async function RegistrationState({
  context: { t, ctx },
  connection,
}: {
  context: MemberRequest
  connection: Connection
}) {
  const registration = await findRegistration(ctx, { connectionId: connection.id })
  if (!registration || registration.reason === null) return ''
  return (
    <p class="notice warning" role="status">
      {t('integrations.not_registered')} <span safe>{registration.reason}</span>
    </p>
  )
}

function NewestEvent({
  t,
  newest: { id, status, reason, block_ids },
  shownReason,
}: {
  t: Translate
  newest: Delivery
  /** The reason that is shown above; it is not repeated. */
  shownReason: string | null
}) {
  const [block] = block_ids
  return (
    <p>
      {t('integrations.newest_delivery')} <DeliveryStatusBadge t={t} status={status} />{' '}
      {block ? <a href={`/library/${block}`}>{t('integrations.see_the_block')}</a> : null}
      {reason ? (
        <>
          {reason === shownReason ? null : <span safe>{t.fromEnglish(reason)}</span>}{' '}
          <a href={`/integrations/deliveries/${id}`}>{t('integrations.more')}</a>
        </>
      ) : null}
    </p>
  )
}

async function reveal(context: MemberRequest): Promise<Response> {
  const connection = await getConnectionInPath(context)
  const secrets = await revealSecretsOnce(connectionContext(context), connection.id)
  return await connectionPage(context, secrets)
}

async function rotateKey(context: MemberRequest): Promise<Response> {
  const { t } = context
  const connection = await getConnectionInPath(context)
  await rotateConnectionKey(connectionContext(context), connection.id)
  const done = t('integrations.the_connection_has_a_new')
  return redirect(context, `/integrations/${connection.id}`, success(done))
}

/** Routes of the page of a connection. */
export const connectionPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/integrations/:id', (context) => connectionPage(context, {}), { role: 'admin' })
    .post('/integrations/:id/reveal', reveal, { role: 'admin' })
    .post('/integrations/:id/rotate-key', once(rotateKey), { role: 'admin' })
