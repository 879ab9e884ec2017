import type { Systems } from './systems.ts'

/** How many blocks the team has before the first round. */
const seededBlocks = 100_000

/** Gives Tidings' team and the baselines' team the same blocks, oldest first. */
export async function seedBlocks({ sql, bareSql, teamId }: Systems): Promise<void> {
  const body = '<p>The new search is out, twice as fast as before, and finds what people mean.</p>'
  await sql`
    insert into content_blocks (id, team_id, title, body, body_format, block_type, status, source, created_at, updated_at)
    select 'cb_' || lpad(to_hex(n), 32, '0'), ${teamId}, 'Block ' || n, ${body}, 'html',
      'general', 'draft', 'webhook', now(), now()
    from generate_series(1, ${seededBlocks}::int) n`
  await bareSql`
    insert into bare_blocks (team_id, id, title, body, block_type, status, created_at)
    select 'team_1', 'cb_' || lpad(to_hex(n), 32, '0'), 'Block ' || n, ${body}, 'general', 'draft', now()
    from generate_series(1, ${seededBlocks}::int) n`
  await Promise.all([sql`vacuum analyze`, bareSql`vacuum analyze`])
}
