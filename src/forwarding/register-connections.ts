import type { Adapter } from '../../integrations/kit/adapter.ts'
import {
  type ConnectionDeps,
  type DecryptedConnection,
  findRegistration,
  listDecryptedConnections,
  readSettings,
  saveRegistration,
  webhookUrl,
} from '../features/connections/index.ts'
import { withTimeLimit } from '../lib/concurrency/time-limit.ts'
import { systemContext } from '../lib/context.ts'
import type { JobQueue } from '../lib/queue/index.ts'
import { toReason } from '../lib/text/reason.ts'
import type { RefreshDeps } from './tokens/refresh.ts'

const timeoutMs = 15_000
/** The time between a failure and the next attempt. */
const retryMs = 10 * 60_000

type RegistrationDeps = Pick<RefreshDeps, 'adapters' | 'outbound' | 'log'> &
  ConnectionDeps & { baseUrl: string }

/**
 * Registers connections at their providers, such as the commands of a bot, once and again after every change of the
 * settings or an update of Tidings. It can run at any time and in several processes: a provider replaces what it has.
 */
export async function registerConnections(deps: RegistrationDeps): Promise<void> {
  const adapters = [...deps.adapters.values()].filter(({ registration }) => registration)
  const slugs = adapters.map(({ slug }) => slug)
  if (slugs.length === 0) return
  for (const connection of await listDecryptedConnections(deps, slugs)) {
    const adapter = deps.adapters.get(connection.adapter)
    if (adapter && !connection.isDisconnected) await registerConnection(deps, adapter, connection)
  }
}

async function registerConnection(
  deps: RegistrationDeps,
  { registration, settings: schema }: Adapter,
  connection: DecryptedConnection,
): Promise<void> {
  const settings = readSettings(connection, schema)
  const url = webhookUrl(deps.baseUrl, connection.adapter, connection.webhookToken)
  const fingerprint = settings && registration?.fingerprint(settings, url)
  if (!registration || !settings || !fingerprint) return
  const { id: connectionId, teamId } = connection
  const ctx = { ...systemContext(deps, teamId), encryption: deps.encryption }
  const last = await findRegistration(ctx, { connectionId })
  const at = deps.now()
  if (last?.fingerprint === fingerprint) {
    if (last.reason === null || at.getTime() - Date.parse(last.at) < retryMs) return
  }
  const registered = await withTimeLimit(deps.outbound, timeoutMs, (provider) =>
    registration.register({ settings, provider, webhookUrl: url }),
  ).catch(toReasonOf)
  const isFailed = typeof registered === 'string'
  const reason = isFailed ? registered : (registered?.problem ?? null)
  await saveRegistration(ctx, {
    connectionId,
    registration: {
      fingerprint,
      at: at.toISOString(),
      reason,
      isRemovable: registration.unregister !== undefined,
    },
    registered: isFailed ? null : (registered?.settings ?? null),
  })
  deps.log.info(
    { connection: connectionId, isRegistered: reason === null },
    'connection registered',
  )
}

const toReasonOf = (error: unknown): string =>
  toReason(error instanceof Error ? error.message : 'The provider did not respond.')

/** Registers connections every minute, in one of all processes. */
export async function scheduleRegistrations(
  deps: RegistrationDeps & { queue: JobQueue },
): Promise<void> {
  const register = () => registerConnections(deps)
  await deps.queue.schedule('register-connections', '* * * * *', register, {
    deleteAfterSeconds: 3_600,
  })
}
