/**
 * `bun run mutation` changes one place after another in the code that decides about data, runs the
 * tests of that code, and prints each change with its result. Works on copies. Settings:
 *
 * - `ONLY`: part of the name of a target or a file
 * - `SAMPLE`: a number of mutants of each target, evenly spread
 * - `JOBS`: how many mutants are tested at the same time
 * - `AGAIN`: a file with the output of an earlier run, of which only the survivors are tested
 */
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRun } from '../../test/support/run/test-run.ts'
import { type Mutant, mutantsOf } from './mutate.ts'
import { type Target, targets } from './targets.ts'

type Result = 'killed' | 'timed out' | 'survived'

const only = process.env['ONLY'] ?? ''
const sample = Number(process.env['SAMPLE'] ?? Number.POSITIVE_INFINITY)
const jobs = Number(process.env['JOBS'] ?? 1)
const again = process.env['AGAIN'] ? await Bun.file(process.env['AGAIN']).text() : null
const root = new URL('../../', import.meta.url).pathname
const leastShare = 0.85

const folder = await mkdtemp(join(tmpdir(), 'tidings-mutation-'))
// One PostgreSQL for all mutants: starting one takes longer than most of the tests.
const tests = await startRun()
const summaries: { name: string; killed: number; all: number }[] = []
try {
  const copies = await Promise.all(Array.from({ length: jobs }, (_, job) => copyProject(job)))
  for (const target of targets) {
    const mutants = await mutantsOfTarget(target)
    if (mutants.length > 0) summaries.push(await runTarget(copies, target, mutants))
  }
} finally {
  await tests.stop()
  await rm(folder, { recursive: true, force: true })
}
for (const { name, killed, all } of summaries) {
  print(`${name}: ${killed} of ${all} mutants killed (${Math.round((100 * killed) / all)} %)`)
}
process.exit(summaries.every(({ killed, all }) => killed >= leastShare * all) ? 0 : 1)

async function copyProject(job: number): Promise<string> {
  const copy = join(folder, String(job))
  for (const name of [
    'src',
    'test',
    'integrations',
    'docs',
    'package.json',
    'bunfig.toml',
    'tsconfig.json',
  ]) {
    await cp(join(root, name), join(copy, name), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** The mutants of a target that the settings choose. */
async function mutantsOfTarget({ name, files }: Target): Promise<readonly Mutant[]> {
  const chosen = files.filter((file) => `${name} ${file}`.includes(only))
  const found = await Promise.all(
    chosen.map(async (file) => mutantsOf(file, await Bun.file(join(root, file)).text())),
  )
  const mutants = found.flat().filter((mutant) => again?.includes(line('survived', mutant)) ?? true)
  const step = Math.max(1, mutants.length / sample)
  return mutants.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
}

async function runTarget(
  copies: readonly string[],
  target: Target,
  mutants: readonly Mutant[],
): Promise<{ name: string; killed: number; all: number }> {
  const started = performance.now()
  for (const files of target.tests) {
    const result = await resultOf(copies[0] ?? root, files, 900_000)
    if (result !== 'survived') throw new Error(`${files.join(', ')}: ${result} without a mutant.`)
  }
  // A mutant that makes tests wait forever is noticed, too.
  const limitMs = 3 * (performance.now() - started) + 60_000
  const waiting = [...mutants]
  let killed = 0
  const work = async (copy: string) => {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const result = await test(copy, target, mutant, limitMs)
      if (result !== 'survived') killed++
      print(line(result, mutant))
    }
  }
  await Promise.all(copies.map(work))
  return { name: target.name, killed, all: mutants.length }
}

async function test(
  copy: string,
  target: Target,
  { file, source }: Mutant,
  limitMs: number,
): Promise<Result> {
  await Bun.write(join(copy, file), source)
  try {
    for (const files of target.tests) {
      const result = await resultOf(copy, files, limitMs)
      if (result !== 'survived') return result
    }
    return 'survived'
  } finally {
    await cp(join(root, file), join(copy, file))
  }
}

/** Runs tests in one process, until the first fails. */
async function resultOf(cwd: string, files: readonly string[], limitMs: number): Promise<Result> {
  const child = Bun.spawn(['bun', 'test', ...files, '--bail', '--timeout', '60000'], {
    cwd,
    env: { ...process.env, ...tests.env },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  let result: Result = 'killed'
  // A mutant can loop forever.
  const timer = setTimeout(() => {
    result = 'timed out'
    child.kill('SIGKILL')
  }, limitMs)
  const code = await child.exited
  clearTimeout(timer)
  return code === 0 ? 'survived' : result
}

function line(result: Result, mutant: Mutant): string {
  const short = (text: string) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 60)
  const { file, line: at, before, after } = mutant
  return `${result}: ${file}:${at} "${short(before)}" → "${short(after)}"`
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
