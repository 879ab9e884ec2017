import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Now } from '../../lib/clock.ts'
import { type Sql, type Tx, transaction } from '../../lib/database/db.ts'
import { dumpJobs, selectStoredQueues } from '../../lib/queue/index.ts'
import type { ImageStorage } from '../images/index.ts'
import { fileLines } from './files.ts'
import { endOfRows, firstLine, type Header, type RowCounts } from './format.ts'
import { encryptSecret } from './secret.ts'
import { copyOut, selectNewestMigration, useSnapshot } from './sql.ts'
import { tablesParentsFirst } from './tables.ts'

export interface BackupDeps {
  sql: Sql
  now: Now
  /** The version of Tidings. */
  version: string
  /** The installation's secret. */
  secret: string
  /** Encrypts the secret in the backup; null leaves the secret out. */
  passphrase: string | null
  /** The files of images. */
  storage: ImageStorage
  /** Is called with the name of a file that the database knows and the storage does not contain. */
  onMissingFile(name: string): void
}

const withinMs = 12 * 60 * 60 * 1000

/**
 * Writes every row, every waiting job and every image, as they are at one moment, to the file `path` (mode 0600).
 * The service can run meanwhile. The file appears when it is complete and on the disk. Returns the
 * number of rows of each table.
 */
export async function writeBackup(deps: BackupDeps, path: string): Promise<RowCounts> {
  const draft = `${path}.incomplete`
  const counts: RowCounts = {}
  try {
    const file = createWriteStream(draft, { mode: 0o600 })
    await once(file, 'open')
    const work = (tx: Tx) => pipeline(backupLines(deps, tx, counts), createGzip(), file)
    await transaction(deps.sql, work, withinMs)
    await syncFile(draft)
    await rename(draft, path)
  } catch (error) {
    // Where the file could not be created, it cannot be removed either.
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
  return counts
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.sync()
  await file.close()
}

async function* backupLines(
  deps: BackupDeps,
  tx: Tx,
  counts: RowCounts,
): AsyncGenerator<string | Buffer> {
  await useSnapshot(tx)
  yield `${firstLine}\n${JSON.stringify(await headerOf(deps, tx))}\n`
  for (const { name, columns } of await tablesParentsFirst(tx)) {
    yield `table ${JSON.stringify({ name, columns })}\n`
    yield* rowsOf(await copyOut(tx, { name, columns }), (rows) => {
      counts[name] = rows
    })
  }
  yield 'jobs\n'
  yield* rowsOf(await dumpJobs(tx), (jobs) => {
    counts['jobs'] = jobs
  })
  yield 'files\n'
  yield* fileLines(tx, deps, (files) => {
    counts['files'] = files
  })
  yield `${endOfRows}\n`
  yield `end ${JSON.stringify(counts)}\n`
}

async function headerOf(deps: BackupDeps, tx: Tx): Promise<Header> {
  const { version, now, secret, passphrase } = deps
  return {
    version,
    migration: await selectNewestMigration(tx),
    created_at: now().toISOString(),
    secret: passphrase === null ? null : await encryptSecret(secret, passphrase),
    queues: await selectStoredQueues(tx),
  }
}

/** The rows of a COPY with the line that ends them. */
async function* rowsOf(
  rows: Readable | null,
  counted: (rows: number) => void,
): AsyncGenerator<string | Buffer> {
  let count = 0
  for await (const chunk of rows ?? []) {
    const bytes = Buffer.from(chunk)
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count++
    yield bytes
  }
  counted(count)
  yield `${endOfRows}\n`
}
