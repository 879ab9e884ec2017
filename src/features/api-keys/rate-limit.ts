import type { ReadContext } from '../../lib/context.ts'
import { selectRecentRequests } from './rate-limit-sql.ts'

export const requestsPerWindow = 60
export const windowSeconds = 60
export const rateLimitWindow = { requests: requestsPerWindow, seconds: windowSeconds }

/** How many of its 60 requests per 60 seconds a key has left. */
export interface RateLimitStatus {
  remaining: number
  /** Seconds until the oldest request leaves the window, at least 1. */
  resetSeconds: number
}

/** How long ago, in ms, each request was accepted that still counts against the key, oldest first. */
export async function listRequestAges(
  { sql, actor }: ReadContext,
  keyId: string,
): Promise<number[]> {
  const rows = await selectRecentRequests(sql, actor.teamId, keyId, windowSeconds)
  return rows.map(({ age_ms }) => age_ms)
}
