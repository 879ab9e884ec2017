import type { SocketModeClient } from '@slack/socket-mode'
import * as v from 'valibot'
import { ProviderError } from '../kit/provider-error.ts'
import type { OpenSocketContext, Socket, SocketMode } from '../kit/socket.ts'
import { errorCode, providerError, silentLogger } from './client.ts'
import { socketMode } from './packages.ts'
import type { Settings } from './settings.ts'

/** A request of Slack in its envelope. Source: https://docs.slack.dev/apis/events-api/using-socket-mode */
const Envelope = v.object({
  ack: v.function(),
  body: v.looseObject({}),
  retry_num: v.optional(v.number()),
  retry_reason: v.optional(v.string()),
})

/** Socket Mode with Slack's client. The host reconnects, so that one process at a time has the socket. */
export const socket: Omit<SocketMode<Settings, unknown, never>, 'receive'> = {
  setting: 'app_token',
  key: ({ app_token, api_base_url }) =>
    app_token === undefined ? null : `${app_token[0]} ${api_base_url}`,
  open,
}

async function open(context: OpenSocketContext<Settings>): Promise<Socket> {
  const client = clientOf(context)
  client.on('authenticated', ({ url = '' }: { url?: string }) => {
    // The client opens the socket next, also after it was disconnected.
    context.signal.throwIfAborted()
    requireAllowed(url, context.isAllowedHost)
  })
  client.on('slack_event', (given: unknown) => void acknowledge(given, context))
  try {
    await startUntil(client, context.signal)
  } catch (error) {
    close(client)
    throw openError(error)
  }
  client.once('disconnected', () => context.onClosed())
  return { close: () => close(client) }
}

const clientOf = ({ settings, provider, signal }: OpenSocketContext<Settings>) =>
  new (socketMode().SocketModeClient)({
    appToken: settings.app_token?.[0] ?? '',
    autoReconnectEnabled: false,
    logger: silentLogger,
    clientOptions: {
      slackApiUrl: settings.api_base_url,
      fetch: (url: string | URL | Request, init?: RequestInit) =>
        provider.fetch(url instanceof Request ? url.url : url, { ...init, signal }),
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
    },
  })

/** The address comes from an API that an admin can choose, and the socket does not pass the check of requests. */
function requireAllowed(address: string, isAllowedHost: (host: string) => boolean): void {
  const url = URL.parse(address)
  const isSlack = url?.protocol === 'wss:' && /(?:^|\.)slack(?:-gov)?\.com$/.test(url.hostname)
  if (isSlack || (url && (isAllowedHost(url.host) || isAllowedHost(url.hostname)))) return
  throw new ProviderError(
    'refused',
    'The address of the socket does not belong to Slack. Check api_base_url.',
  )
}

async function startUntil(client: SocketModeClient, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const end = () => reject(signal.reason)
  signal.addEventListener('abort', end)
  const started = client.start()
  // The client never settles when it is disconnected before Slack has greeted.
  started.catch(() => undefined)
  try {
    await Promise.race([started, ended])
  } finally {
    signal.removeEventListener('abort', end)
  }
}

/** Slack closes its side slowly, and nothing waits for that. */
function close(client: SocketModeClient): void {
  client.disconnect().catch(() => undefined)
}

/** Acknowledges a request after it was stored; Slack repeats events that were not acknowledged. */
async function acknowledge(
  given: unknown,
  { receive }: OpenSocketContext<Settings>,
): Promise<void> {
  const envelope = v.safeParse(Envelope, given)
  if (!envelope.success) return
  const { ack, body, retry_num = 0, retry_reason } = envelope.output
  const headers = new Headers({ 'content-type': 'application/json' })
  if (retry_num > 0) headers.set('x-slack-retry-num', String(retry_num))
  if (retry_reason) headers.set('x-slack-retry-reason', retry_reason)
  try {
    const bytes = new TextEncoder().encode(JSON.stringify(body))
    const url = new URL('https://tidings.invalid/')
    const { body: reply } = await receive({ method: 'POST', url, headers, body: bytes })
    await ack(reply)
  } catch {
    // The host has logged why the request was not stored; a socket that closed is opened again.
  }
}

/** Source of the codes: https://docs.slack.dev/reference/methods/apps.connections.open */
function openError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  const [found, code] = [providerError(error), errorCode(error)]
  if (found.problem !== 'refused' && code !== 'token_expired') return found
  return new ProviderError(
    'refused',
    `Slack refused the app-level token (${code}). Save a new one with the scope connections:write as app_token, and check that socket_mode_enabled is true in the manifest of the app.`,
  )
}
