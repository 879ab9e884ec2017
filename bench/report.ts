import { cpus } from 'node:os'
import type { Journey } from './journeys.ts'
import type { Round, Scenario } from './measure.ts'
import type { System } from './systems.ts'

export type Results = Map<Scenario, Map<System['name'], Round[]>>

/** The memory of the Tidings process in MB, where the system reports it. */
export interface Memory {
  idle: number | null
  afterLoad: number | null
}

interface ReportOptions {
  rounds: number
  seconds: number
  startSeconds: number
  journeys: readonly Journey[]
  memory: Memory
}

/** The tables of results in Markdown: the median of the rounds of each system, then the journeys. */
export function reportOf(
  results: Results,
  { rounds, seconds, startSeconds, journeys, memory }: ReportOptions,
): string {
  const rows = [...results].map(([scenario, byName]) => rowOf(scenario, byName))
  return [
    '# Results of `bun run bench`',
    '',
    `Bun ${Bun.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), median of ${rounds} interleaved rounds of ${seconds} s. PostgreSQL, servers and load generator share the machine. Requests per second; p50 and p99 in ms; CPU is that of the Tidings process.`,
    '',
    '| Work | bare | Elysia + drizzle | Tidings | Tidings / bare | Goal | p50 | p99 | CPU µs/request |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    '| Work of several requests | Result | Goal |',
    '|---|---|---|',
    ...journeys.map(({ name, result, goal }) => `| ${name} | ${result} | ${goal} |`),
    `| start of the process on an existing database → first response | ${startSeconds.toFixed(1)} s | |`,
    `| memory after the start | ${memory.idle ?? '?'} MB | |`,
    `| memory after the load above | ${memory.afterLoad ?? '?'} MB | |`,
    '',
  ].join('\n')
}

function rowOf(scenario: Scenario, byName: Map<System['name'], Round[]>): string {
  const of = (name: System['name'], measure: (round: Round) => number | null) =>
    median((byName.get(name) ?? []).map(measure))
  const perSecond = (round: Round) => round.perSecond
  const bare = of('bare', perSecond)
  const tidings = of('tidings', perSecond)
  const cells = [
    scenario.name,
    whole(bare),
    whole(of('drizzle', perSecond)),
    whole(tidings),
    bare === null || tidings === null ? '' : (tidings / bare).toFixed(2),
    scenario.goal,
    of('tidings', ({ p50 }) => p50)?.toFixed(1) ?? '',
    of('tidings', ({ p99 }) => p99)?.toFixed(1) ?? '',
    whole(of('tidings', ({ cpuMicroseconds }) => cpuMicroseconds)),
  ]
  return `| ${cells.join(' | ')} |`
}

const whole = (value: number | null) =>
  value === null ? '' : Math.round(value).toLocaleString('en-US')

function median(values: readonly (number | null)[]): number | null {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? null
}
