/**
 * `bun run bench:compare FOLDER` measures this version and the one in another folder, such as a worktree, in
 * turns: the CPU time of the process and of PostgreSQL for each request. On a busy machine it changes less
 * than the requests per second. `ROUNDS`, `SECONDS` and `ONLY` are those of `bun run bench`.
 */
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { scenarios } from './load/scenarios.ts'
import { cpuSeconds, measureRound, type Scenario } from './measure.ts'
import { seedBlocks } from './seed.ts'
import type { Systems } from './systems.ts'

const rounds = Number(process.env['ROUNDS'] ?? 7)
const seconds = Number(process.env['SECONDS'] ?? 2)
const only = process.env['ONLY'] ?? ''
const here = resolve(import.meta.dir, '..')

/** One of the two versions, with the PostgreSQL that it uses. */
interface Version {
  folder: string
  systems: Systems
  postgresPid: number
}

/** CPU time for each request, in µs. */
interface Cost {
  process: number
  postgres: number
}

await using opened = new AsyncDisposableStack()
const versions = [await openVersion(resolve(process.argv[2] ?? here)), await openVersion(here)]
for (const scenario of scenarios.filter(({ name }) => name.includes(only))) {
  const costs = new Map<Version, Cost[]>(versions.map((version) => [version, []]))
  for (const version of versions) await costOf(version, scenario, 1)
  for (let round = 0; round < rounds; round++) {
    for (const version of versions) {
      costs.get(version)?.push(await costOf(version, scenario, seconds))
    }
  }
  for (const [{ folder }, measured] of costs) {
    const median = (part: keyof Cost) => middle(measured.map((cost) => cost[part])).toFixed(0)
    process.stdout.write(
      `${scenario.name}: process ${median('process')} µs, PostgreSQL ${median('postgres')} µs, ${folder}\n`,
    )
  }
}

async function openVersion(folder: string): Promise<Version> {
  const module: typeof import('./systems.ts') = await import(join(folder, 'bench/systems.ts'))
  const systems = await module.startSystems()
  opened.defer(() => systems.close())
  await seedBlocks(systems)
  const [row] = await systems.sql<{ directory: string }[]>`
    select current_setting('data_directory') as directory`
  const pidFile = await Bun.file(join(row?.directory ?? '', 'postmaster.pid')).text()
  return { folder, systems, postgresPid: Number(pidFile.split('\n')[0]) }
}

async function costOf(version: Version, scenario: Scenario, seconds: number): Promise<Cost> {
  const before = await postgresSeconds(version.postgresPid)
  const round = await measureRound(version.systems.tidings, scenario, seconds)
  const used = (await postgresSeconds(version.postgresPid)) - before
  const requests = Object.values(round.statuses).reduce((sum, count) => sum + count, 0)
  return { process: round.cpuMicroseconds ?? 0, postgres: (used / requests) * 1e6 }
}

/** CPU time of a PostgreSQL: of its main process and of those that it has started. */
async function postgresSeconds(pid: number): Promise<number> {
  const pids = (await readdir('/proc')).map(Number).filter((id) => id > 0)
  const times = pids.map(async (id) => {
    const parent = await parentOf(id)
    return id === pid || parent === pid ? await cpuSeconds(id) : null
  })
  return (await Promise.all(times)).reduce<number>((sum, time) => sum + (time ?? 0), 0)
}

/** The process that has started a process, or null when it has ended. */
async function parentOf(pid: number): Promise<number | null> {
  const status = await Bun.file(`/proc/${pid}/status`)
    .text()
    .catch(() => '')
  const [, parent] = /^PPid:\s+(\d+)/m.exec(status) ?? []
  return parent === undefined ? null : Number(parent)
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
