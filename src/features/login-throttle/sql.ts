import type { Sql } from '../../lib/db.ts'

/**
 * Takes one attempt of a subject, by GCRA: `full_again_at` is when the whole burst is free again, and
 * runs ahead by `interval` with each attempt. Gives the ms to wait, 0 when the attempt is allowed.
 * One statement, so that attempts at the same moment count one by one.
 */
export async function consumeAttempt(
  sql: Sql,
  subject: Buffer,
  at: Date,
  { burst, intervalMs }: { burst: number; intervalMs: number },
): Promise<number> {
  const first = new Date(at.getTime() + intervalMs)
  const latest = new Date(at.getTime() + (burst - 1) * intervalMs)
  const rows = await sql`
    insert into attempts as a (subject, full_again_at) values (${subject}, ${first})
    on conflict (subject) do update
      set full_again_at = greatest(a.full_again_at, ${at}) + make_interval(secs => ${intervalMs / 1000})
      where a.full_again_at <= ${latest}
    returning subject`
  if (rows.length > 0) return 0
  const [row] = await sql<{ wait: number }[]>`
    select (extract(epoch from full_again_at - ${latest}::timestamptz) * 1000)::float8 as wait
    from attempts where subject = ${subject}`
  return Math.max(row?.wait ?? 0, 1)
}

/** Gives attempts back to a subject. */
export async function refundAttempts(sql: Sql, subject: Buffer, byMs: number): Promise<void> {
  await sql`
    update attempts set full_again_at = full_again_at - make_interval(secs => ${byMs / 1000})
    where subject = ${subject}`
}

/** Drops what no longer holds anybody back. */
export async function purgeAttempts(sql: Sql, at: Date): Promise<void> {
  await sql`delete from attempts where full_again_at < ${at}`
}
