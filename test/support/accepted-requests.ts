import type { Sql } from '../../src/lib/database/db.ts'

/** Records, by PostgreSQL's clock, when each request of each key is counted against its limit. */
export async function recordAcceptedRequests(sql: Sql): Promise<void> {
  await sql`create table accepted_requests (api_key_id id not null, at timestamptz not null)`
  await sql.unsafe(`
    create function record_accepted_requests() returns trigger language plpgsql as $$
    begin
      insert into accepted_requests
      select new.api_key_id, h from unnest(new.recent_requests) h
      where h > coalesce((select max(o) from unnest(old.recent_requests) o), '-infinity');
      return new;
    end $$`)
  await sql`
    create trigger record_accepted_requests after update on api_key_usage
    for each row execute function record_accepted_requests()`
}

/** When the requests of a team were accepted, in ms since 1970, oldest first, by key. */
export async function acceptedRequests(
  sql: Sql,
  teamId: string,
): Promise<ReadonlyMap<string, number[]>> {
  const rows = await sql<{ key: string; ms: number }[]>`
    select api_key_id as key, (extract(epoch from at) * 1000)::float8 as ms
    from accepted_requests a join api_keys k on k.id = a.api_key_id
    where k.team_id = ${teamId} order by at`
  return new Map(
    [...Map.groupBy(rows, ({ key }) => key)].map(([key, of]) => [key, of.map(({ ms }) => ms)]),
  )
}
