import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type EmbeddedPostgres, openEmbedded } from '../../src/embedded-postgres/index.ts'
import { connect, withDeadline } from '../../src/lib/db.ts'
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

// The driver keeps half-written messages of a lost connection, so that the next one waits for ever;
// see patches/. Without the patch, connection after connection is lost to that, five seconds each.
test('transactions go on within moments of the database’s sudden death', async () => {
  const sql = connect(database.connection, { name: 'outage test' })
  const file = Bun.file(join(dataDir, 'postgres/data/postmaster.pid'))
  const postmaster = Number.parseInt(await file.text(), 10)
  const transact = () =>
    withDeadline(
      sql.begin((tx) => tx`select 1`),
      3_000,
    )
  await transact()
  const workers = 8
  const started = performance.now()
  const since = () => performance.now() - started
  let killedAt = 0
  let backAt = 0
  let late = 0
  const worker = async () => {
    while (since() < 4_000) {
      const at = since()
      const done = await transact().then(
        () => true,
        () => false,
      )
      if (since() - at > 2_000) late++
      if (done && killedAt > 0) backAt ||= since()
    }
  }
  setTimeout(() => {
    process.kill(postmaster, 'SIGKILL')
    killedAt = since()
  }, 200)
  await Promise.all(Array.from({ length: workers }, worker))
  expect(backAt - killedAt).toBeLessThan(2_000)
  // What was under way in that very moment may wait for its deadline, and nothing after it.
  expect(late).toBeLessThanOrEqual(workers)
  await transact()
  await sql.end({ timeout: 1 })
})
