/**
 * Preloaded into a process, it records which files of `src` and `integrations` execute: each of their
 * functions calls {@link recordExecution} first. Code at the top level of a file does not count, and
 * neither does what a timer repeats: on a slow machine it runs during every request.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import ts from 'typescript'

const root = new URL('../../../', import.meta.url).pathname
let calls: string[] = []

/** The file of each function that was called since the last time, in the order of the calls. */
export function takeCalls(): readonly string[] {
  const taken = calls
  calls = []
  return taken
}

const ofTimer = new AsyncLocalStorage<true>()
const repeat = globalThis.setInterval
const repeatUnrecorded = (work: () => void, ms: number) => repeat(() => ofTimer.run(true, work), ms)

function recordExecution(path: string): void {
  if (!ofTimer.getStore()) calls.push(path)
}

Object.assign(globalThis, { recordExecution, setInterval: repeatUnrecorded })

Bun.plugin({
  name: 'execution recorder',
  setup(build) {
    build.onLoad({ filter: /\/(src|integrations)\/[^.]*\.ts$/ }, async ({ path }) => {
      const source = await Bun.file(path).text()
      return { contents: withRecording(source, path.slice(root.length)), loader: 'ts' }
    })
  },
})

/** A module in which each function records that it is called. */
function withRecording(source: string, path: string): string {
  const call = `recordExecution(${JSON.stringify(path)})`
  const insertions: { at: number; text: string }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const body = node.body as ts.ConciseBody
      if (ts.isBlock(body)) insertions.push({ at: body.getStart() + 1, text: `${call};` })
      else insertions.push({ at: body.getStart(), text: `(${call}, ` }, { at: body.end, text: ')' })
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true))
  return insertions
    .toSorted((one, other) => other.at - one.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), source)
}
