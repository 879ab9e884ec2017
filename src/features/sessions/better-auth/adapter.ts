import { AsyncLocalStorage } from 'node:async_hooks'
import { type CleanedWhere, type CustomAdapter, createAdapterFactory } from 'better-auth/adapters'
import { type Sql, type Tx, withDeadline } from '../../../lib/database/db.ts'
import { AppError } from '../../../lib/errors.ts'
import { currentSql } from './transaction.ts'

type Row = Record<string, unknown>
// What better-auth stores: text, numbers, dates and booleans.
type Value = string | number | boolean | Date | null

/**
 * better-auth on our own pool, so that its statements have our deadlines, need no second driver and take
 * part in `inAuthTransaction`. It supports the conditions that better-auth uses here, and throws for others.
 */
export function sqlAdapter(sql: Sql) {
  return createAdapterFactory({
    config: {
      adapterId: 'tidings',
      adapterName: 'Tidings',
      supportsJSON: false,
      supportsDates: true,
      supportsBooleans: true,
      transaction: false,
    },
    adapter: ({ getFieldName }) =>
      statements(sql, (model, field) => getFieldName({ model, field })),
  })
}

function statements(pool: Sql, columnOf: (model: string, field: string) => string): CustomAdapter {
  return {
    async create({ model, data }) {
      const sql = currentSql(pool)
      const rows = await run(sql`insert into ${sql(model)} ${sql(stored(data))} returning *`)
      return asked(rows[0])
    },
    async update({ model, where, update }) {
      const [row] = await change(currentSql(pool), model, where, update)
      return row ? asked(row) : null
    },
    async updateMany({ model, where, update }) {
      return (await change(currentSql(pool), model, where, update)).length
    },
    async findOne({ model, where }) {
      const sql = currentSql(pool)
      const query = sql`select * from ${sql(model)} where ${allOf(sql, where)} limit 1`
      const [row] = await run(query)
      return row ? asked(row) : null
    },
    async findMany({ model, where, limit, sortBy, offset }) {
      const sql = currentSql(pool)
      const column = sql(columnOf(model, sortBy?.field ?? 'id'))
      const order = sortBy?.direction === 'desc' ? sql`${column} desc` : sql`${column} asc`
      const rows = await run(sql`
        select * from ${sql(model)} where ${allOf(sql, where)}
        order by ${order} limit ${limit} offset ${offset ?? 0}`)
      return rows.map((row) => asked(row))
    },
    async delete({ model, where }) {
      await remove(currentSql(pool), model, where)
    },
    async deleteMany({ model, where }) {
      return (await remove(currentSql(pool), model, where)).length
    },
    async consumeOne({ model, where }) {
      const [row] = await remove(currentSql(pool), model, where)
      return row ? asked(row) : null
    },
    async incrementOne({ model, where, increment, set }) {
      const sql = currentSql(pool)
      const sums = Object.entries(increment).map(
        ([column, by]) => sql`${sql(column)} = ${sql(column)} + ${by}`,
      )
      const values = Object.entries(stored(set ?? {})).map(
        ([column, value]) => sql`${sql(column)} = ${value}`,
      )
      const changes = [...sums, ...values].reduce((all, one) => sql`${all}, ${one}`)
      const query = sql`update ${sql(model)} set ${changes} where ${allOf(sql, where)} returning *`
      const [row] = await run(query)
      return row ? asked(row) : null
    },
    async count({ model, where }) {
      const sql = currentSql(pool)
      const [row] = await run(
        sql`select count(*)::integer as counted from ${sql(model)} where ${allOf(sql, where)}`,
      )
      return Number(row?.['counted'] ?? 0)
    },
  }
}

/** The first failure of the database during a call of better-auth. */
const failures = new AsyncLocalStorage<{ first?: AppError }>()

/**
 * Runs a call of better-auth. Throws the failure of a statement also where better-auth handles it itself,
 * such as a session that cannot be read, which would be a missing session or an internal error.
 */
export async function throwFailures<T>(call: () => Promise<T>): Promise<T> {
  const failure: { first?: AppError } = {}
  const [result] = await Promise.allSettled([failures.run(failure, call)])
  if (failure.first) throw failure.first
  if (result.status === 'rejected') throw result.reason
  return result.value
}

async function run(query: PromiseLike<Row[]>): Promise<Row[]> {
  try {
    return await withDeadline(Promise.resolve(query))
  } catch (error) {
    const failure = failures.getStore()
    if (failure && error instanceof AppError) failure.first ??= error
    throw error
  }
}

const remove = async (sql: Sql | Tx, model: string, where: readonly CleanedWhere[]) =>
  await run(sql`delete from ${sql(model)} where ${allOf(sql, where)} returning *`)

const change = async (
  sql: Sql | Tx,
  model: string,
  where: readonly CleanedWhere[],
  update: unknown,
) =>
  await run(
    sql`update ${sql(model)} set ${sql(stored(update))} where ${allOf(sql, where)} returning *`,
  )

const allOf = (sql: Sql | Tx, conditions: readonly CleanedWhere[] = []) =>
  conditions.reduce(
    (sofar, condition) => sql`${sofar} and ${comparison(sql, condition)}`,
    sql`true`,
  )

/** One condition. All of them are true together, since better-auth never uses "or" here. */
function comparison(sql: Sql | Tx, { field, operator, value, connector }: CleanedWhere) {
  if (connector === 'OR') throw new Error('better-auth asks for an "or" that the adapter lacks')
  const column = sql(field)
  if (operator === 'in' && Array.isArray(value)) return sql`${column} = any(${value.map(String)})`
  if (Array.isArray(value)) throw new Error(`better-auth asks for "${operator}" with a list`)
  if (value === null) return operator === 'ne' ? sql`${column} is not null` : sql`${column} is null`
  switch (operator) {
    case 'eq':
      return sql`${column} = ${value}`
    case 'ne':
      return sql`${column} <> ${value}`
    case 'lt':
      return sql`${column} < ${value}`
    case 'lte':
      return sql`${column} <= ${value}`
    case 'gt':
      return sql`${column} > ${value}`
    case 'gte':
      return sql`${column} >= ${value}`
    default:
      throw new Error(`better-auth asks for "${operator}", which the adapter lacks`)
  }
}

/** The values that better-auth stores. Sound because it fills the columns of its schema, which are ours. */
const stored = (data: unknown) => data as Record<string, Value>

/** A row as the type that better-auth expects. Sound because the columns of the model are its fields. */
const asked = <T>(row: Row | undefined) => row as T
