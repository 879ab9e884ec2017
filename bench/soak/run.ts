/**
 * Runs the service with its embedded PostgreSQL under a constant load and causes one fault after another.
 * Every acknowledged block, webhook event and preview email must be stored, forwarded or sent exactly once.
 * Prints the counts and the memory; exits with 1 when something is missing or doubled, when the service
 * does not recover, or when a fault could not be caused as described.
 *
 *   nice -n 10 bun bench/soak/run.ts [minutes] [all | restarts | one-process | PATTERN]
 *
 * `one-process` causes only faults that the process survives, so that its memory can be watched. A pattern
 * causes the faults whose names match it.
 */

import { until } from '../../test/support/until.ts'
import { faults } from './faults.ts'
import { startInstallation } from './installation.ts'
import { startLoad } from './load.ts'
import { watchMemory } from './memory.ts'
import { compareWithAcknowledged, isComplete } from './results.ts'

const minutes = Number(process.argv[2] ?? 5)
const kind = process.argv[3] ?? 'all'
const recoverySeconds = 60

const installation = await startInstallation()
const memory = watchMemory(() => installation.service().process.pid)
const load = await startLoad(installation)
const { counts } = load
const isChosen = ({ name, restarts }: (typeof faults)[number]) =>
  kind === 'restarts' || kind === 'one-process'
    ? restarts === (kind === 'restarts')
    : kind === 'all' || new RegExp(kind).test(name)
const chosen = faults.filter(
  (fault) =>
    isChosen(fault) && (installation.disk.fill !== null || !fault.name.startsWith('the disk')),
)

interface FaultReport {
  times: number
  /** How many times the fault ended with an error, after which the soak goes on. */
  interrupted: number
  notRecovered: number
  slowestSeconds: number
}
const report: Record<string, FaultReport> = {}
const endAt = Date.now() + minutes * 60_000
for (let n = 0; Date.now() < endAt; n = (n + 1) % chosen.length) {
  const fault = chosen[n]
  if (fault === undefined) break
  const interruption = await fault.cause(installation).then(() => null, String)
  if (interruption !== null) {
    process.stderr.write(`${fault.name}: ${interruption}\n`)
    await installation.startIfEnded()
  }
  const endedAt = Date.now()
  const before = { ...counts }
  const recovers = async () =>
    counts.acknowledged >= before.acknowledged + 10 && counts.events > before.events
  const hasRecovered = await until(recovers, recoverySeconds).catch(() => false)
  const seconds = (Date.now() - endedAt) / 1000
  const result = report[fault.name] ?? {
    times: 0,
    interrupted: 0,
    notRecovered: 0,
    slowestSeconds: 0,
  }
  result.times++
  if (interruption !== null) result.interrupted++
  if (!hasRecovered) result.notRecovered++
  result.slowestSeconds = Math.max(result.slowestSeconds, Math.round(seconds * 10) / 10)
  report[fault.name] = result
  const outcome = hasRecovered ? `works again after ${seconds.toFixed(1)} s` : 'does not recover'
  process.stderr.write(`${fault.name}: ${outcome}; ${JSON.stringify(counts)}\n`)
}
await load.stop()
const megabytes = memory.stop()
const result = await compareWithAcknowledged(installation, load)
process.stdout.write(
  `${JSON.stringify({ minutes, kind, counts, faults: report, megabytes, result }, null, 2)}\n`,
)
await installation.close()
const isAsDescribed = Object.values(report).every(
  ({ interrupted, notRecovered }) => interrupted + notRecovered === 0,
)
process.exit(isComplete(result) && isAsDescribed ? 0 : 1)
