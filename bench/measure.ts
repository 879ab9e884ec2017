import { readFile } from 'node:fs/promises'
import type { Load, LoadResult } from './load/load.ts'
import type { System } from './systems.ts'

/** One row of the table. */
export interface Scenario {
  name: string
  method: 'GET' | 'POST'
  path: string
  body: string | null
  connections: number
  /** The status that every response must have. */
  status: 200 | 201 | 429
  /** The systems that have such a path. */
  systems: readonly System['name'][]
  /** The ratio to `bare` or the requests per second that this row should reach. */
  goal: string
}

/** What one system did in one round of a scenario. */
export interface Round extends LoadResult {
  perSecond: number
  /** CPU time of the server process (without PostgreSQL) in µs for each request; null off Linux. */
  cpuMicroseconds: number | null
}

/**
 * Measures one system once. Throws when a response has another status than the scenario's, or when
 * the number of new rows differs from the number of 201 responses.
 */
export async function measureRound(
  system: System,
  scenario: Scenario,
  seconds: number,
): Promise<Round> {
  await system.resetLimits()
  const rowsBefore = await system.countBlocks()
  const cpuBefore = await cpuSeconds(system.pid)
  const { method, path, body, connections, status } = scenario
  const tokens = status === 429 ? system.tokens.slice(0, 1) : system.tokens
  const load = { port: system.port, connections, seconds, method, path, tokens, body }
  const result = await generateLoad(load)
  const cpuAfter = await cpuSeconds(system.pid)
  const created = (await system.countBlocks()) - rowsBefore
  requireExpected(system, scenario, result, created)
  const requests = Object.values(result.statuses).reduce((sum, count) => sum + count, 0)
  return {
    ...result,
    perSecond: requests / result.seconds,
    cpuMicroseconds:
      cpuBefore === null || cpuAfter === null ? null : ((cpuAfter - cpuBefore) / requests) * 1e6,
  }
}

/** Runs the load generator in a process of its own. */
async function generateLoad(load: Load): Promise<LoadResult> {
  const child = Bun.spawn(['bun', new URL('./load/load.ts', import.meta.url).pathname], {
    stdin: new Blob([JSON.stringify(load)]),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const output = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error('The load generator failed.')
  return JSON.parse(output)
}

function requireExpected(
  { name }: System,
  scenario: Scenario,
  { statuses }: LoadResult,
  created: number,
): void {
  // The first 60 requests of an over-limit key are accepted.
  const accepted = scenario.status === 429 ? ['200', '429'] : [String(scenario.status)]
  const other = Object.keys(statuses).filter((status) => !accepted.includes(status))
  if (other.length > 0) {
    throw new Error(`${scenario.name}, ${name}: responses were ${JSON.stringify(statuses)}`)
  }
  const acknowledged = statuses['201'] ?? 0
  if (created !== acknowledged) {
    throw new Error(`${scenario.name}, ${name}: ${acknowledged} acknowledged, ${created} stored`)
  }
}

/** CPU time that a process has used, from Linux's procfs (100 ticks a second), else null. */
export async function cpuSeconds(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return null
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** The memory of a process in MB (resident set), from Linux's procfs, else null. */
export async function megabytes(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(text) ?? []
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024)
}
