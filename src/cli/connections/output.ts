import type { Adapter } from '../../../integrations/kit/adapter.ts'
import {
  type Connection,
  type ConnectionHealth,
  webhookUrl,
} from '../../features/connections/index.ts'
import { utcMinute } from '../../lib/clock.ts'
import type { CliContext } from '../command.ts'

/** Shown instead of the webhook URL of a connection that was encrypted under another secret. */
export const unreadable =
  'unreadable, because the secret was replaced: remove it and create it again'

/** What `connection create` prints as JSON. */
export function connectionSummary(
  { config }: CliContext,
  adapter: Adapter | undefined,
  connection: Connection,
) {
  const url =
    connection.readable && !adapter?.polling
      ? webhookUrl(config.baseUrl, connection.adapter, connection.webhookToken)
      : null
  return {
    id: connection.id,
    adapter: connection.adapter,
    label: connection.label,
    url,
    key_prefix: connection.keyPrefix,
    setup: (url && adapter?.setup?.({ webhookUrl: url, base: config.baseUrl })) ?? null,
    created_at: connection.createdAt,
  }
}

/** What `connection list` prints as JSON for one connection: names of secrets, never their values. */
export const detailsOf = (
  context: CliContext,
  adapter: Adapter | undefined,
  connection: Connection,
  health: ConnectionHealth | undefined,
) => ({
  ...connectionSummary(context, adapter, connection),
  health: health && healthSummary(health),
  settings: connection.settings,
  secrets: connection.secrets,
  unknown_events: connection.unknownEvents,
})

const healthSummary = (health: ConnectionHealth) => ({
  state: health.state,
  reason: health.reason,
  action: health.action,
  queued: health.queued,
  seconds_to_drain: health.secondsToDrain,
  refused_requests: health.refusedRequests,
  last_refused_at: health.lastRefusedAt,
  rate_limited_requests: health.rateLimitedRequests,
  last_polled_at: health.polling?.lastAt ?? null,
  next_poll_at: health.polling?.nextAt ?? null,
})

/**
 * The health of a connection for people: what is wrong, what to do, and how many deliveries wait.
 */
function healthLines({ health }: Pick<Shown, 'health'>): string[] {
  if (!health) return []
  const { state, reason, action, queued, seconds_to_drain: seconds } = health
  return [
    `state: ${state}${reason ? ` (${reason})` : ''}`,
    ...(action ? [`what to do: ${action}`] : []),
    `deliveries waiting: ${queued}${queued > 0 ? ` (about ${Math.ceil(seconds / 60)} min)` : ''}`,
    ...requestLines(health),
  ]
}

/** What was received through a webhook, or when the source is read. */
function requestLines(health: NonNullable<Shown['health']>): string[] {
  const { last_polled_at: last, next_poll_at: next } = health
  if (last === null && next === null)
    return [
      `requests refused: ${health.refused_requests}, over the limit: ${health.rate_limited_requests}`,
    ]
  const time = (at: Date | null) => (at === null ? 'never' : utcMinute(at))
  return [`last read: ${time(last)}`, `read next: ${time(next)}`]
}

type Shown = ReturnType<typeof detailsOf> & { revealed: Record<string, unknown> }

/** The output of `connection show` for people; `revealed` are secrets that are shown only once. */
export const connectionLines = (adapter: Adapter | undefined, shown: Shown): string[] => [
  [adapter?.name ?? shown.adapter, shown.label, shown.id].filter((part) => part).join(' '),
  ...healthLines(shown),
  ...(adapter?.polling ? [] : [`address: ${shown.url ?? unreadable}`]),
  `key: ${shown.key_prefix}…`,
  ...Object.entries(shown.settings).map(([name, value]) => `${name}: ${settingText(value)}`),
  ...shown.secrets.map((name) => `${name}: set; a secret is not shown`),
  ...Object.entries(shown.revealed).map(
    ([name, value]) => `${name}: ${[value].flat().join(', ')} (shown only once)`,
  ),
  `events of unknown kinds: ${shown.unknown_events}`,
]

const settingText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * The text that an admin enters at the provider, such as Slack's app manifest; empty for most
 * providers.
 */
export function setupText(
  adapter: Adapter | undefined,
  { setup }: { setup: string | null },
): string {
  return setup === null ? '' : `\n\nPaste this at ${adapter?.name}:\n${setup}`
}

/** What happens with a new connection, or what an admin does next. */
export function nextStepText(
  { name, polling }: Adapter,
  { id, url }: { id: string; url: string | null },
  usesSocket: boolean,
): string {
  if (polling) return `${name} ${id} is read within a minute, and regularly from then on.`
  if (usesSocket)
    return `The service opens a socket to ${name} within about 20 seconds, so ${name} needs no address. If that fails, "tidings doctor" says why.`
  return `Enter this address at ${name}:\n${url}`
}
