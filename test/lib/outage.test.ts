import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, withDeadline } from '../../src/lib/db.ts'
import { type EmbeddedPostgres, openEmbedded } from '../../src/lib/embedded/index.ts'
import { createLog } from '../../src/lib/log.ts'

let dataDir: string
let database: EmbeddedPostgres

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tidings-outage-'))
  await chmod(dataDir, 0o711)
  database = await openEmbedded({ dataDir, log: createLog('silent') })
})
afterAll(async () => {
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

// The driver keeps half-written messages of a lost connection, so that the next one waits for ever;
// see patches/. Without the patch some of these calls fail after five seconds each.
test('transactions go on within moments of the database’s sudden death', async () => {
  const sql = connect(database.connection, { name: 'outage test' })
  const postmaster = Number.parseInt(
    await Bun.file(join(dataDir, 'postgres/data/postmaster.pid')).text(),
    10,
  )
  const transact = () => withDeadline(sql.begin((tx) => tx`select 1`))
  await transact()
  const started = performance.now()
  let killed = false
  let slowest = 0
  let lastFailure = 0
  const worker = async () => {
    while (performance.now() - started < 2_500) {
      const at = performance.now()
      await transact().catch(() => {
        lastFailure = performance.now()
      })
      slowest = Math.max(slowest, performance.now() - at)
      if (!killed && at - started > 200) {
        killed = true
        process.kill(postmaster, 'SIGKILL')
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  expect(lastFailure).toBeGreaterThan(0)
  expect(lastFailure - started).toBeLessThan(2_000)
  expect(slowest).toBeLessThan(2_000)
  await transact()
  await sql.end({ timeout: 1 })
})
