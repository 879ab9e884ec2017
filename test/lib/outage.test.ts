import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type EmbeddedPostgres, openEmbedded } from '../../src/embedded-postgres/index.ts'
import { connect, transaction } from '../../src/lib/db.ts'
import { createLog } from '../../src/lib/log.ts'
import { temporaryFolder } from '../support/test-run.ts'

let dataDir: string
let database: EmbeddedPostgres

beforeAll(async () => {
  dataDir = await temporaryFolder('outage')
  database = await openEmbedded({ dataDir, log: createLog('silent') })
})
afterAll(async () => {
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

const poolSize = 10

// The driver keeps half-written messages of a lost connection, so that the next one waits for ever;
// see patches/. Without the patch, connection after connection is lost to that.
test('after the database was killed and is back, a connection is lost once at most', async () => {
  const sql = connect(database.connection, { name: 'outage test', max: poolSize })
  const file = Bun.file(join(dataDir, 'postgres/data/postmaster.pid'))
  const postmaster = Number.parseInt(await file.text(), 10)
  const transact = () =>
    transaction(
      sql,
      async (tx) => {
        const [row] = await tx<{ started: string }[]>`
          select pg_postmaster_start_time()::text as started`
        return row?.started
      },
      5_000,
    )
  const firstStart = await transact()
  let back = false
  let lost = 0
  const worker = async () => {
    for (let done = 0; done < 100; ) {
      const wasBack = back
      const start = await transact().catch(() => null)
      // The sessions of the killed server may still respond for a moment.
      if (start !== null && start !== firstStart) {
        back = true
        done++
      }
      // A connection of the pool may find out late that it is lost, but only once.
      if (start === null && wasBack) lost++
    }
  }
  const workers = Array.from({ length: 8 }, worker)
  await transact()
  process.kill(postmaster, 'SIGKILL')
  await Promise.all(workers)
  expect(lost).toBeLessThanOrEqual(poolSize)
  await sql.end({ timeout: 1 })
})
