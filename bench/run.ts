/**
 * `bun run bench` measures Tidings against two baselines on one PostgreSQL, in interleaved rounds,
 * and writes `bench/results.md`. `ROUNDS`, `SECONDS` and `ONLY` (part of a scenario's name,
 * or `journeys`) shorten it.
 */
import { type Journey, measureJourneys } from './journeys.ts'
import { listAfterIngest, scenarios } from './load/scenarios.ts'
import { measureRound, megabytes, type Round, type Scenario } from './measure.ts'
import { type Memory, type Results, reportOf } from './report.ts'
import { seedBlocks } from './seed.ts'
import { type System, startSystems } from './systems.ts'

const rounds = Number(process.env['ROUNDS'] ?? 3)
const seconds = Number(process.env['SECONDS'] ?? 4)
const only = process.env['ONLY'] ?? ''
const chosen = [...scenarios, listAfterIngest].filter(({ name }) => name.includes(only))

const systems = await startSystems()
const results: Results = new Map()
const journeys: Journey[] = []
const memory: Memory = { idle: null, afterLoad: null }
try {
  memory.idle = await megabytes(systems.tidings.pid)
  await seedBlocks(systems)
  for (const scenario of chosen) {
    results.set(scenario, await measureScenario(scenario, [...systems.baselines, systems.tidings]))
  }
  memory.afterLoad = await megabytes(systems.tidings.pid)
  if (only === '' || 'journeys'.includes(only)) journeys.push(...(await measureJourneys(systems)))
} finally {
  await systems.close()
}
const { startSeconds } = systems
const report = reportOf(results, { rounds, seconds, startSeconds, journeys, memory })
process.stdout.write(report)
if (only === '') await Bun.write(new URL('./results.md', import.meta.url), report)

/** The rounds of each system; in each round the systems take turns, so that they share disturbances. */
async function measureScenario(
  scenario: Scenario,
  measured: readonly System[],
): Promise<Map<System['name'], Round[]>> {
  const systems = measured.filter(({ name }) => scenario.systems.includes(name))
  const byName = new Map<System['name'], Round[]>(systems.map(({ name }) => [name, []]))
  // Until the JIT compiler has finished, which takes the largest program longest.
  for (const system of systems) await measureRound(system, scenario, 2)
  for (let round = 0; round < rounds; round++) {
    for (const system of systems) {
      const result = await measureRound(system, scenario, seconds)
      byName.get(system.name)?.push(result)
      process.stderr.write(`${scenario.name}: ${system.name} ${Math.round(result.perSecond)}/s\n`)
    }
  }
  return byName
}
