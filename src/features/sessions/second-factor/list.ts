import { type Sql, type Tx, withDeadline } from '../../../lib/database/db.ts'
import { type SecondFactors, selectSecondFactors, selectWithSecondFactor } from '../sql.ts'

/** The second factors of an account. */
export async function listSecondFactors(
  { sql }: { sql: Sql | Tx },
  accountId: string,
): Promise<SecondFactors> {
  return await withDeadline(selectSecondFactors(sql, accountId))
}

/** The ids of those accounts among the given ones that have a second factor. */
export async function findWithSecondFactor(
  { sql }: { sql: Sql | Tx },
  accountIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await withDeadline(selectWithSecondFactor(sql, accountIds))
  return new Set(rows.map(({ id }) => id))
}
