import { type Logger, LogLevel, webApi } from '@slack/bolt'
import type { ProviderApi } from '../kit/adapter.ts'
import { oneLine } from '../kit/text.ts'
import type { Settings } from './settings.ts'

const nothing = () => {}

/** Bolt's log lines can hold what people wrote; the host logs what failed, without it. */
export const silentLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  getLevel: () => LogLevel.ERROR,
  setName: nothing,
}

/** Slack's Web API as this connection's bot. It never waits out a rate limit: the host retries. */
export function slackClient(settings: Settings, provider: ProviderApi, timeout_ms: number) {
  return new webApi.WebClient(settings.bot_token[0], {
    slackApiUrl: settings.api_base_url,
    fetch: (url, init) => provider.fetch(url, init),
    timeout: timeout_ms,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    maxRequestConcurrency: 25,
    allowAbsoluteUrls: false,
    logger: silentLogger,
  })
}

export interface Names {
  /** Display names by user id; who is unknown to Slack, or hidden from us, is left out. */
  names: Map<string, string>
  /** Whether Slack was down or limited us, so that asking again may give more. */
  incomplete: boolean
}

/** Asks Slack for people's display names. */
export async function displayNames(
  client: webApi.WebClient,
  ids: readonly string[],
): Promise<Names> {
  const unique = [...new Set(ids)]
  const answers = await Promise.allSettled(unique.map((id) => displayName(client, id)))
  const names = new Map<string, string>()
  for (const [index, answer] of answers.entries()) {
    const [id, name] = [unique[index], answer.status === 'fulfilled' ? answer.value : undefined]
    if (id !== undefined && name !== undefined) names.set(id, name)
  }
  return { names, incomplete: answers.some(({ status }) => status === 'rejected') }
}

async function displayName(client: webApi.WebClient, user: string): Promise<string | undefined> {
  try {
    const answer = await client.users.info({ user })
    const { profile, real_name, name } = answer.user ?? {}
    const candidates = [profile?.display_name, profile?.real_name, real_name, name]
    return candidates.map((text) => oneLine(text ?? '')).find((text) => text !== '')
  } catch (error) {
    // Slack answered, and refused: no such person, or the scope is missing. Asking again is no use.
    if (error instanceof webApi.WebAPIPlatformError) return undefined
    throw error
  }
}
