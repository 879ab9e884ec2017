import { pipeline } from 'node:stream/promises'
import type * as v from 'valibot'
import { type Sql, type Tx, transaction, withDeadline } from '../../lib/database/db.ts'
import { type InsertJobs, type JobToInsert, StoredJob } from '../../lib/queue/index.ts'
import type { ImageStorage } from '../images/index.ts'
import { restoreFile } from './files.ts'
import {
  BackupError,
  damaged,
  endOfRows,
  parseJson,
  RowCounts,
  readLines,
  TableLine,
} from './format.ts'
import {
  allowLongStatements,
  copyIn,
  countServiceSessions,
  deleteRows,
  isUsed,
  selectNewestMigration,
  setTriggers,
} from './sql.ts'
import { backupJob } from './state.ts'
import { tablesParentsFirst } from './tables.ts'

const withinMs = 12 * 60 * 60 * 1000
const bytesAtOnce = 64 * 1024
const jobsAtOnce = 500

/** Throws `BackupError` while a service runs on the database. */
export async function requireUnusedDatabase(sql: Sql): Promise<void> {
  if ((await withDeadline(countServiceSessions(sql))) > 0) {
    throw new BackupError('A service runs on this database: stop it first.')
  }
}

/**
 * Throws `BackupError` when somebody has used the installation already, when a newer Tidings than
 * that of the backup, with the migration `newest`, has made its tables, and when this Tidings does not
 * have that migration.
 */
export async function requireEmpty(sql: Sql, newest: number): Promise<void> {
  const present = await transaction(sql, selectNewestMigration)
  if (present < newest) {
    throw new BackupError(
      'A newer Tidings has written this backup: restore it with that version, or with a newer one.',
    )
  }
  if (present > newest) {
    throw new BackupError(
      'This database has the tables of a newer Tidings than that of the backup: restore into an empty one, for example with another DATA_DIR or DATABASE_URL.',
    )
  }
  if (await transaction(sql, isUsed)) {
    throw new BackupError(
      'This installation has a team or an account already: restore into an empty one, for example with another DATA_DIR or DATABASE_URL.',
    )
  }
}

/**
 * Replaces all rows of an empty installation by those of the backup, in one transaction. The database
 * must have the migration of the backup. Returns the number of rows of each table. Throws
 * `BackupError`, and changes nothing, when the backup is damaged.
 */
export async function loadBackup(
  sql: Sql,
  { path, storage }: { path: string; storage: ImageStorage },
  insertJobs: InsertJobs,
): Promise<RowCounts> {
  return await transaction(sql, (tx) => load({ tx, path, storage, insertJobs }), withinMs)
}

interface Loading {
  tx: Tx
  path: string
  insertJobs: InsertJobs
  storage: ImageStorage
}

async function load(loading: Loading): Promise<RowCounts> {
  const { tx } = loading
  await allowLongStatements(tx)
  const tables = await tablesParentsFirst(tx)
  for (const { name } of tables) await setTriggers(tx, name, 'disable')
  for (const { name } of tables.toReversed()) await deleteRows(tx, name)
  const counts = await loadSections(loading)
  for (const { name } of tables) await setTriggers(tx, name, 'enable')
  return counts
}

async function loadSections(loading: Loading): Promise<RowCounts> {
  const { path } = loading
  const counts: RowCounts = {}
  const lines = readLines(path)
  await lines.next()
  await lines.next()
  for (let line = await nextLine(lines); line !== undefined; line = await nextLine(lines)) {
    const [, word = '', json = ''] = /^(\w+) ?(.*)$/.exec(line) ?? []
    if (word === 'table') {
      const table = parseJson(TableLine, json, path)
      counts[table.name] = await loadTable(loading, table, lines)
    } else if (word === 'jobs') counts['jobs'] = await loadJobs(loading, lines)
    else if (word === 'files') counts['files'] = await loadFiles(loading, lines)
    else if (word === 'end' && Bun.deepEquals(counts, parseJson(RowCounts, json, path)))
      return counts
    else break
  }
  throw damaged(path)
}

type Lines = AsyncGenerator<Buffer>

async function nextLine(lines: Lines): Promise<string | undefined> {
  const { value, done } = await lines.next()
  return done ? undefined : value.toString()
}

/** The rows of a section. Throws `BackupError` when their end is missing. */
async function* rowsIn(lines: Lines, path: string): AsyncGenerator<Buffer> {
  for (;;) {
    const { value, done } = await lines.next()
    if (done) throw damaged(path)
    if (value.length === endOfRows.length && value.toString() === endOfRows) return
    yield value
  }
}

async function loadTable(
  { tx, path }: Loading,
  table: v.InferOutput<typeof TableLine>,
  lines: Lines,
): Promise<number> {
  let count = 0
  const newline = Buffer.of(10)
  async function* chunks() {
    let parts: Buffer[] = []
    let bytes = 0
    for await (const row of rowsIn(lines, path)) {
      count++
      parts.push(row, newline)
      bytes += row.length + 1
      if (bytes < bytesAtOnce) continue
      yield Buffer.concat(parts)
      parts = []
      bytes = 0
    }
    yield Buffer.concat(parts)
  }
  // When the rows end early, the pipeline ends COPY with an error, so that the transaction can be rolled back.
  await pipeline(chunks, await copyIn(tx, table))
  return count
}

/** A file of an image keeps its name, so that a second attempt stores the same. */
async function loadFiles({ path, storage }: Loading, lines: Lines): Promise<number> {
  let count = 0
  for await (const row of rowsIn(lines, path)) {
    await restoreFile(storage, row, path)
    count++
  }
  return count
}

async function loadJobs({ tx, path, insertJobs }: Loading, lines: Lines): Promise<number> {
  let count = 0
  let batch: { queue: string; jobs: JobToInsert[] } = { queue: '', jobs: [] }
  const flush = async () => {
    if (batch.jobs.length > 0) await insertJobs(tx, batch.queue, batch.jobs)
  }
  for await (const row of rowsIn(lines, path)) {
    const { queue, job } = parseJson(StoredJob, unescapeCopy(row.toString()), path)
    count++
    // It is the job that has written this backup.
    if (queue === backupJob) continue
    if (queue !== batch.queue || batch.jobs.length === jobsAtOnce) {
      await flush()
      batch = { queue, jobs: [] }
    }
    batch.jobs.push(job)
  }
  await flush()
  return count
}

/** COPY doubles backslashes; JSON has no other character that it escapes. */
const unescapeCopy = (text: string) => text.replaceAll('\\\\', '\\')
