/**
 * How many blocks a second the ingest webhook takes in, each acknowledged once it is durable.
 * `bun run bench`: the whole service on a database of its own, callers on the same machine.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../src/config.ts'
import { createKey } from '../src/features/access/index.ts'
import { createTeam } from '../src/features/teams/index.ts'
import { systemClock } from '../src/lib/clock.ts'
import { connect } from '../src/lib/db.ts'
import { openEmbedded } from '../src/lib/embedded/index.ts'
import { createLog } from '../src/lib/log.ts'
import { startService } from '../src/service.ts'

const requestsPerKey = 60
const rounds = [
  { callers: 1, keys: 20 },
  { callers: 32, keys: 200 },
  { callers: 128, keys: 400 },
]

const dataDir = await mkdtemp(join(tmpdir(), 'tidings-bench-'))
const config = { ...loadConfig({ DATA_DIR: dataDir, PORT: '0' }), logLevel: 'silent' }
const log = createLog('silent')
const service = await startService(config, log, () => {})
const embedded = await openEmbedded({ dataDir, log })
const sql = connect(embedded.connection, { name: 'bench' })
const team = await createTeam(sql, systemClock, { slug: 'bench', name: 'Bench' })
const key = { scopes: ['write' as const], ingest_only: true, allow_auto_ready: true }
const body = JSON.stringify({ title: 'A release', body: `<p>${'It is out. '.repeat(40)}</p>` })

/** Sends all requests of fresh keys, `callers` at a time; gives each one's time in ms. */
async function round(callers: number, keys: number): Promise<number[]> {
  const tokens = await Promise.all(
    Array.from({ length: keys }, async (_, n) => {
      const input = { ...key, name: `bench ${n}`, expires_at: null, provider: null }
      return (await createKey(sql, systemClock, team.id, input)).token
    }),
  )
  const times: number[] = []
  let next = 0
  const caller = async () => {
    for (let at = next++; at < keys * requestsPerKey; at = next++) {
      const started = performance.now()
      const answer = await fetch(`http://127.0.0.1:${service.port}/api/v1/webhooks/ingest`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tokens[at % keys]}`,
          'content-type': 'application/json',
        },
        body,
      })
      await answer.arrayBuffer()
      if (answer.status !== 201) throw new Error(`ingest answered ${answer.status}`)
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return times
}

for (const { callers, keys } of rounds) {
  const started = performance.now()
  const times = (await round(callers, keys)).sort((a, b) => a - b)
  const seconds = (performance.now() - started) / 1000
  const percentile = (share: number) => times[Math.floor(times.length * share)]?.toFixed(1)
  process.stdout.write(
    `${callers} callers: ${Math.round(times.length / seconds)} blocks/s, median ${percentile(0.5)} ms, 99% under ${percentile(0.99)} ms\n`,
  )
}
await sql.end()
await embedded.close()
await service.stop()
await rm(dataDir, { recursive: true, force: true })
