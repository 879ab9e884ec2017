import { readdir } from 'node:fs/promises'
import { dayMs } from '../clock.ts'
import { type Sql, type Tx, transaction } from './db.ts'
import { locks } from './locks.ts'

// The migration of a large table can take hours.
const maxMigrationMs = dayMs

interface Migration {
  version: number
  name: string
  path: string
}

async function migrationsIn(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort()
  return names.map((name) => ({
    version: Number.parseInt(name, 10),
    name,
    path: `${folder}/${name}`,
  }))
}

/**
 * Migrates the database with the numbered files in `folder`, up to the newest or to `last`. All run
 * in one transaction under an advisory lock, so that several processes can start at the same time.
 * Returns the names of the applied files. Throws when the database is newer than the code.
 */
export async function migrate(
  sql: Sql,
  folder: string,
  last = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const migrations = await migrationsIn(folder)
  const work = async (tx: Tx) => {
    await tx`set local statement_timeout = 0`
    await tx`set local lock_timeout = 0`
    await tx`select pg_advisory_xact_lock(${locks.migration})`
    await tx`create table if not exists migrations (version integer primary key, name text not null, applied_at timestamptz not null default now())`
    const applied = await tx<{ version: number }[]>`select version from migrations`
    const done = new Set(applied.map(({ version }) => version))
    const newer = [...done].find(
      (version) => !migrations.some((known) => known.version === version),
    )
    if (newer !== undefined) {
      throw new Error(
        `The database has migration ${newer}, which this version of Tidings does not know. Start the newer version, or restore a backup.`,
      )
    }
    const pending = migrations.filter(({ version }) => version <= last && !done.has(version))
    for (const { version, name, path } of pending) {
      await tx.unsafe(await Bun.file(path).text())
      await tx`insert into migrations (version, name) values (${version}, ${name})`
    }
    return pending.map(({ name }) => name)
  }
  return await transaction(sql, work, maxMigrationMs)
}
