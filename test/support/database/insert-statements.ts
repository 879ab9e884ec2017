import type { Sql } from '../../../src/lib/database/db.ts'

/** How many statements add rows to a table, or jobs to a queue, during `work`. */
export async function insertStatements(
  sql: Sql,
  { table, queue }: { table: string; queue: string },
  work: () => Promise<unknown>,
): Promise<number> {
  const count = 'referencing new table as added for each statement execute function count_insert()'
  await sql.unsafe(`
    create sequence insert_statements;
    create function count_insert() returns trigger language plpgsql as $$ begin
      if exists (select from added where tg_table_schema <> 'pgboss' or to_jsonb(added)->>'name' = '${queue}')
        then perform nextval('insert_statements'); end if;
      return null;
    end $$;
    create trigger count_insert after insert on ${table} ${count};
    create trigger count_insert after insert on pgboss.job ${count};
    create trigger count_insert after insert on pgboss.job_common ${count}`)
  try {
    await work()
    const [row] = await sql<{ statements: number }[]>`
      select last_value::int as statements from insert_statements where is_called`
    return row?.statements ?? 0
  } finally {
    await sql.unsafe('drop function count_insert cascade; drop sequence insert_statements')
  }
}
