import { beforeAll, expect, test } from 'bun:test'
import * as v from 'valibot'

const Calls = v.object({ contentBlock: v.array(v.string()), release: v.array(v.string()) })
let calls: v.InferOutput<typeof Calls>
let guide: string

beforeAll(async () => {
  const support = `${import.meta.dir}/../support`
  const recording = Bun.spawn(
    [
      process.execPath,
      '--preload',
      `${support}/run/execution-recorder.ts`,
      `${support}/request-paths.ts`,
    ],
    { stdout: 'pipe', stderr: 'inherit' },
  )
  calls = v.parse(Calls, JSON.parse(await recording.stdout.text()))
  guide = await Bun.file(`${import.meta.dir}/../../CONTRIBUTING.md`).text()
})

test('CONTRIBUTING lists the files that execute for a new content block, in their order', () => {
  requireDocumented('How an API request flows', calls.contentBlock)
})

test('CONTRIBUTING lists the files that execute for a GitHub release, in their order', () => {
  requireDocumented('How a webhook request flows', calls.release)
})

test('CONTRIBUTING counts the files of both paths without the foundations', () => {
  const block = productFiles(calls.contentBlock)
  const release = productFiles(calls.release)
  const own = release.difference(block)
  const text = guide.replaceAll(/\s+/g, ' ')
  expect(text).toContain(`passes through ${block.size} files, in this order`)
  expect(text).toContain(
    `passes through ${release.size} files before it is a block: ${own.size} files of its own, and ${release.size - own.size} of those above`,
  )
})

const productFiles = (called: readonly string[]) =>
  new Set(
    called.filter((path) => !/^(?:src\/(?:lib|contract|locales)|integrations\/kit)\//.test(path)),
  )

/** The files in the steps and the foundations of a section; the steps are in the order of the calls. */
function requireDocumented(heading: string, called: readonly string[]): void {
  const section = guide.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  expect(pathsIn(section).toSorted()).toEqual([...new Set(called)].toSorted())
  const steps = section.split('\n\n').filter((part) => /^\d+\. /.test(part))
  const documented = pathsIn(steps.join('\n'))
  expect(orderOf(documented, called)).toEqual(documented)
}

const pathsIn = (text: string) =>
  [...text.matchAll(/`((?:src|integrations)\/[^`\s]+\.ts)`/g)].flatMap(([, path]) => path ?? [])

/** The longest beginning of the documented steps that the calls pass through in this order. */
function orderOf(documented: readonly string[], called: readonly string[]): string[] {
  let at = 0
  for (const path of called) if (path === documented[at]) at++
  return documented.slice(0, at)
}
