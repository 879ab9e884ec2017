import { until } from '../../test/support/until.ts'
import type { Installation } from './installation.ts'
import type { Load } from './load.ts'

const settleSeconds = 420

/** Makes emails due that wait for a later attempt after the faults of the mail server: up to four hours. */
const retryEmails = (sql: ReturnType<Installation['openSql']>) =>
  sql`update pgboss.job set start_after = now() where name = 'send-preview-email' and state = 'retry'`

/** What is stored after a soak, compared with what was acknowledged. */
export async function compareWithAcknowledged(
  { openSql, mailServer }: Installation,
  { counts, blocks }: Load,
) {
  const sql = openSql()
  const isSettled = await until(async () => {
    await retryEmails(sql)
    const [waiting] = await sql<{ deliveries: number; emails: number }[]>`
      select (select count(*)::int from deliveries where status = 'waiting') as deliveries,
        (select count(*)::int from preview_emails where status = 'queued') as emails`
    return waiting?.deliveries === 0 && waiting.emails === 0
  }, settleSeconds).catch(() => false)
  const rows = await sql<{ title: string; copies: number }[]>`
    select title, count(*)::int as copies from content_blocks where title like 'soak-%' group by title`
  const [releases] = await sql<{ blocks: number; doubled: number }[]>`
    select count(*)::int as blocks, (count(*) - count(distinct external_id))::int as doubled
    from content_blocks where external_id like 'github:release:%'`
  const [previews] = await sql<{ stored: number; emails: number; sent: number }[]>`
    select (select count(*)::int from previews) as stored, count(*)::int as emails,
      count(*) filter (where status = 'sent')::int as sent from preview_emails`
  await sql.end()
  const stored = new Set(rows.map(({ title }) => title))
  const copies = [...mailServer.copies().values()]
  return {
    isSettled,
    blocks: {
      acknowledged: blocks.size,
      stored: rows.length,
      missing: [...blocks].filter((id) => !stored.has(id)).length,
      doubled: rows.filter(({ copies }) => copies > 1).length,
    },
    events: {
      acknowledged: counts.events,
      blocks: releases?.blocks ?? 0,
      doubled: releases?.doubled ?? 0,
    },
    previews: {
      acknowledged: counts.previews,
      stored: previews?.stored ?? 0,
      sent: previews?.sent ?? 0,
      received: copies.length,
      receivedTwice: copies.filter((many) => many > 1).length,
    },
  }
}

/** Whether everything acknowledged is stored, forwarded and sent exactly once. */
export function isComplete({
  isSettled,
  blocks,
  events,
  previews,
}: Awaited<ReturnType<typeof compareWithAcknowledged>>): boolean {
  return (
    isSettled &&
    blocks.missing + blocks.doubled + events.doubled === 0 &&
    events.blocks === events.acknowledged &&
    [previews.stored, previews.sent, previews.received].every(
      (many) => many === previews.acknowledged,
    )
  )
}
