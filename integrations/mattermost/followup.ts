import * as v from 'valibot'
import type { Language } from '../../src/contract/vocabulary.ts'
import type { DeliveredBlock } from '../kit/adapter.ts'
import { chatText } from '../kit/chat/locales/index.ts'
import type { ProviderApi } from '../kit/provider-request.ts'

const timeoutMs = 10_000

/** Mattermost accepts replies at a response address for half an hour. */
const lifetimeMs = 30 * 60 * 1000

const Address = v.object({ response_url: v.string(), since: v.string() })

/**
 * Whether an address is on the server of the connection. It comes from a request, so other hosts
 * are refused (threat T-24).
 */
export function isOnServer(address: string, server: string | undefined): boolean {
  const [url, base] = [URL.parse(address), URL.parse(server ?? '')]
  if (url === null || base === null || url.username + url.password !== '') return false
  const folder = base.pathname.replace(/\/*$/, '/')
  return url.origin === base.origin && url.pathname.startsWith(folder)
}

/** The message about a delivered block. */
export const deliveredText = ({ created, url }: DeliveredBlock, language: Language) =>
  chatText(language, created ? 'in_library' : 'in_library_already', { link: url })

/** Sends a message to the person who sent a command. */
export async function notifyDelivered(
  text: string,
  ephemeralContext: unknown,
  context: { settings: { server_url?: string | undefined }; provider: ProviderApi; now: Date },
): Promise<void> {
  const { success, output: address } = v.safeParse(Address, ephemeralContext)
  if (!success || !isOnServer(address.response_url, context.settings.server_url)) return
  // This condition treats an unreadable time as too old.
  if (!(context.now.getTime() - Date.parse(address.since) < lifetimeMs)) return
  const response = await context.provider.fetch(address.response_url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ response_type: 'ephemeral', text }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok)
    throw new Error(`Mattermost did not accept the follow-up: status ${response.status}`)
}
