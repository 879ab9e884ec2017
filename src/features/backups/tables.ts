import type { Tx } from '../../lib/database/db.ts'
import { type BackupTable, selectTables } from './sql.ts'

/** All tables, each after those that its rows refer to. Throws when two refer to each other. */
export async function tablesParentsFirst(tx: Tx): Promise<BackupTable[]> {
  const waiting = new Map((await selectTables(tx)).map((table) => [table.name, table]))
  const sorted: BackupTable[] = []
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(
      ({ parents }) => !parents.some((name) => waiting.has(name)),
    )
    if (ready.length === 0) {
      throw new Error(`The tables ${[...waiting.keys()].join(', ')} refer to each other.`)
    }
    for (const table of ready) waiting.delete(table.name)
    sorted.push(...ready)
  }
  return sorted
}
