import { openEmbedded } from '/work/wt-gate/src/embedded-postgres/index.ts'
import { createLog } from '/work/wt-gate/src/lib/log.ts'
import { migrate } from '/work/wt-gate/src/lib/migrate.ts'
import { connect } from '/work/wt-gate/src/lib/db.ts'
import { listBlocks } from '/work/wt-gate/src/features/content-blocks/index.ts'
const embedded = await openEmbedded({ dataDir: '/tmp/gate/million', log: createLog('silent') })
const sql = connect(embedded.connection, { name: 'm', max: 2, session: { statement_timeout: 0, maintenance_work_mem: '512MB' } })
await migrate(sql, '/work/wt-gate/src/migrations')
await sql`insert into teams (id, slug, name, created_at) values ('team_1','t','t',now()) on conflict do nothing`
const [c] = await sql`select count(*)::int as n from content_blocks`
if (c!.n === 0) {
  await sql`drop index content_blocks_search_idx`
  await sql`insert into content_blocks (id, team_id, title, body, body_format, block_type, status, source, created_at, updated_at)
    select 'cb_' || lpad(to_hex(n), 32, '0'), 'team_1', 'Block number ' || n, '<p>The new search is out, twice as fast as before, and finds what people mean. ' || md5(n::text) || '</p>', 'html',
      case when n % 10 = 0 then 'poll' else 'general' end, case when n % 3 = 0 then 'draft' else 'used' end, 'webhook', now(), now() from generate_series(1, 1000000) n`
  await sql`create index content_blocks_search_idx on content_blocks using gin (search)`
  await sql`vacuum analyze`
}
const everything = { status: [], blockType: [], source: [], eventSlug: [], words: null, fromId: null, beforeId: null } as any
const cases: Record<string, any> = { none: {}, status: { status: ['draft'] }, rare: { status: ['ready'] }, type: { blockType: ['poll'] }, source: { source: ['webhook'] }, every: { words: 'search' }, tenth: { words: 'poll' }, rareword: { words: '999999' }, nobody: { words: 'zebra' } }
for (let round = 0; round < 3; round++) for (const [name, filter] of Object.entries(cases)) {
  const t = performance.now(); const cpu = process.cpuUsage()
  const page = await listBlocks(sql, 'team_1', { ...everything, ...filter }, { page: 1, perPage: 50 })
  console.log(name, (performance.now() - t).toFixed(1), 'ms', page.items.length, page.counted)
}
await sql.end(); await embedded.close()
