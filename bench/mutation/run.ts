/**
 * `bun run mutation` changes one place after another in the code that decides about data, runs the
 * tests of that code, and lists the changes that no test noticed. `ONLY` (part of a file's name) and
 * `SAMPLE` (a number of mutants of each file, evenly spread) shorten it. Works on a copy.
 */
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRun } from '../../test/support/test-run.ts'
import { type Mutant, mutantsOf } from './mutate.ts'
import { targets } from './targets.ts'

const only = process.env['ONLY'] ?? ''
const sample = Number(process.env['SAMPLE'] ?? Number.POSITIVE_INFINITY)
const root = new URL('../../', import.meta.url).pathname

const folder = await mkdtemp(join(tmpdir(), 'tidings-mutation-'))
// One PostgreSQL for all mutants: starting one takes longer than most of the tests.
const tests = await startRun()
const survivors: Mutant[] = []
let killed = 0
try {
  await copyProject()
  for (const { files, tests } of targets) {
    const chosen = files.filter((file) => file.includes(only))
    if (chosen.length > 0) await runTarget(chosen, tests)
  }
} finally {
  await tests.stop()
  await rm(folder, { recursive: true, force: true })
}
const all = killed + survivors.length
process.stdout.write(`${killed} of ${all} mutants killed (${Math.round((100 * killed) / all)} %)\n`)
for (const mutant of survivors) process.stdout.write(`survived: ${describe(mutant)}\n`)
process.exit(killed >= 0.85 * all ? 0 : 1)

async function copyProject(): Promise<void> {
  for (const name of [
    'src',
    'test',
    'integrations',
    'docs',
    'package.json',
    'bunfig.toml',
    'tsconfig.json',
  ]) {
    await cp(join(root, name), join(folder, name), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
}

async function runTarget(files: readonly string[], testFiles: readonly string[]): Promise<void> {
  const started = performance.now()
  if (!(await passes(testFiles, 600_000)))
    throw new Error(`${testFiles.join(', ')} fail without a mutant.`)
  // A mutant that makes tests wait forever is noticed, too.
  const limitMs = 3 * (performance.now() - started) + 10_000
  for (const file of files) {
    const source = await Bun.file(join(root, file)).text()
    for (const mutant of spread(mutantsOf(file, source))) {
      await Bun.write(join(folder, file), mutant.source)
      const survived = await passes(testFiles, limitMs)
      if (survived) survivors.push(mutant)
      else killed++
      process.stderr.write(`${survived ? 'SURVIVED' : 'killed'} ${describe(mutant)}\n`)
    }
    await Bun.write(join(folder, file), source)
  }
}

/** At most `sample` of the mutants, evenly spread. */
function spread(mutants: readonly Mutant[]): readonly Mutant[] {
  const step = Math.max(1, mutants.length / sample)
  return mutants.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
}

/** True when no test fails; ends with the first file of which one fails. */
async function passes(testFiles: readonly string[], limitMs: number): Promise<boolean> {
  for (const file of testFiles) {
    if (!(await passesFile(file, limitMs))) return false
  }
  return true
}

async function passesFile(file: string, limitMs: number): Promise<boolean> {
  const child = Bun.spawn(['bun', 'test', file, '--bail', '--timeout', '20000'], {
    cwd: folder,
    env: { ...process.env, ...tests.env },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  // A mutant can loop forever.
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
  const code = await child.exited
  clearTimeout(timer)
  return code === 0
}

function describe({ file, line, before, after }: Mutant): string {
  const short = (text: string) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 60)
  return `${file}:${line} "${short(before)}" → "${short(after)}"`
}
