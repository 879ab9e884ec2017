import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

/**
 * Counts one attempt of a subject with GCRA: `tat` is the time at which the whole burst is
 * available again; each attempt adds `intervalMs` to it. Returns the ms to wait, 0 when the attempt
 * is allowed. One statement, so that attempts at the same time are counted one by one. A `tat` that
 * no number of attempts leads to is from before the clock was set back, and does not count.
 */
export async function consumeAttempt(
  sql: Sql | Tx,
  subject: Buffer,
  at: Date,
  { burst, intervalMs }: { burst: number; intervalMs: number },
): Promise<number> {
  const first = new Date(at.getTime() + intervalMs)
  const latest = new Date(at.getTime() + (burst - 1) * intervalMs)
  const possible = new Date(at.getTime() + burst * intervalMs)
  const rows = await sql`
    insert into rate_limits as a (subject, tat) values (${subject}, ${first})
    on conflict (subject) do update
      set tat = case when a.tat > ${possible} then ${at}::timestamptz else greatest(a.tat, ${at}) end
        + make_interval(secs => ${intervalMs / 1000})
      where a.tat <= ${latest} or a.tat > ${possible}
    returning subject`
  if (rows.length > 0) return 0
  const [row] = await sql<{ wait: number }[]>`
    select (extract(epoch from tat - ${latest}::timestamptz) * 1000)::float8 as wait
    from rate_limits where subject = ${subject}`
  return Math.max(row?.wait ?? 0, 1)
}

/** Subtracts attempts of a subject. */
export async function refundAttempts(sql: Sql | Tx, subject: Buffer, byMs: number): Promise<void> {
  await sql`
    update rate_limits set tat = tat - make_interval(secs => ${byMs / 1000})
    where subject = ${subject}`
}

/** Deletes the counts that delay nobody any more. */
export async function deleteExpiredAttempts(sql: Sql | Tx, at: Date): Promise<void> {
  await deleteInSlices(sql, 'rate_limits', sql`tat < ${at}`)
}
