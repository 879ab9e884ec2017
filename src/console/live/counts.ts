import { listReviewCounts, type ReviewCounts } from '../../features/content-blocks/index.ts'
import type { Sql } from '../../lib/database/db.ts'
import type { LiveConnection } from './connection.ts'

/**
 * Sends pages how many drafts wait in their team, and which block is the newest. One statement asks for
 * all teams with open pages, so that ingest has nothing to announce.
 */
export function createCounts(sql: Sql, connections: ReadonlySet<LiveConnection>) {
  const sent = new WeakMap<LiveConnection, ReviewCounts>()
  let isAsking = false
  return {
    async refresh(): Promise<void> {
      if (isAsking || connections.size === 0) return
      isAsking = true
      try {
        const teams = [...new Set([...connections].map((one) => one.teamId))]
        const counts = await listReviewCounts({ sql }, teams)
        for (const page of connections) {
          const now = counts.get(page.teamId)
          const before = sent.get(page)
          const isKnown = now?.drafts === before?.drafts && now?.newest === before?.newest
          if (!now || isKnown) continue
          sent.set(page, now)
          page.send('counts', now)
        }
      } finally {
        isAsking = false
      }
    },
  }
}
