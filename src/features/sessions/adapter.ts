import { type CleanedWhere, type CustomAdapter, createAdapterFactory } from 'better-auth/adapters'
import { type Sql, withDeadline } from '../../lib/db.ts'

type Row = Record<string, unknown>
// What the library stores: text, dates and booleans alone.
type Value = string | number | boolean | Date | null

/**
 * better-auth on our own pool, so that its statements have our deadlines and need no second driver.
 * It knows as much SQL as better-auth asks for with e-mail and password; more throws.
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

function statements(sql: Sql, columnOf: (model: string, field: string) => string): CustomAdapter {
  const where = (conditions: readonly CleanedWhere[] = []) =>
    conditions.reduce(
      (sofar, condition) => sql`${sofar} and ${comparison(sql, condition)}`,
      sql`true`,
    )
  const run = async (query: PromiseLike<Row[]>) => await withDeadline(Promise.resolve(query))
  const remove = async (model: string, conditions: readonly CleanedWhere[]) =>
    await run(sql`delete from ${sql(model)} where ${where(conditions)} returning *`)
  const change = async (model: string, conditions: readonly CleanedWhere[], update: unknown) =>
    await run(
      sql`update ${sql(model)} set ${sql(stored(update))} where ${where(conditions)} returning *`,
    )

  return {
    async create({ model, data }) {
      const rows = await run(sql`insert into ${sql(model)} ${sql(stored(data))} returning *`)
      return asked(rows[0])
    },
    async update({ model, where: conditions, update }) {
      const [row] = await change(model, conditions, update)
      return row ? asked(row) : null
    },
    async updateMany({ model, where: conditions, update }) {
      return (await change(model, conditions, update)).length
    },
    async findOne({ model, where: conditions }) {
      const [row] = await run(sql`select * from ${sql(model)} where ${where(conditions)} limit 1`)
      return row ? asked(row) : null
    },
    async findMany({ model, where: conditions, limit, sortBy, offset }) {
      const column = sql(columnOf(model, sortBy?.field ?? 'id'))
      const order = sortBy?.direction === 'desc' ? sql`${column} desc` : sql`${column} asc`
      const rows = await run(sql`
        select * from ${sql(model)} where ${where(conditions)}
        order by ${order} limit ${limit} offset ${offset ?? 0}`)
      return rows.map((row) => asked(row))
    },
    async delete({ model, where: conditions }) {
      await remove(model, conditions)
    },
    async deleteMany({ model, where: conditions }) {
      return (await remove(model, conditions)).length
    },
    async consumeOne({ model, where: conditions }) {
      const [row] = await remove(model, conditions)
      return row ? asked(row) : null
    },
    async count({ model, where: conditions }) {
      const [row] = await run(
        sql`select count(*)::integer as counted from ${sql(model)} where ${where(conditions)}`,
      )
      return Number(row?.['counted'] ?? 0)
    },
  }
}

/** One condition; all of them hold together, since nothing here ever asks for "or". */
function comparison(sql: Sql, { field, operator, value, connector }: CleanedWhere) {
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

/** What the library gives to store. Sound because it fills its schema's columns, which are ours. */
const stored = (data: unknown) => data as Record<string, Value>

/** A row as the type the library asked for. Sound because the model's columns are that type's fields. */
const asked = <T>(row: Row | undefined) => row as T
