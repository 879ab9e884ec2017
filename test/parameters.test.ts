import { expect, test } from 'bun:test'
import ts from 'typescript'

const root = new URL('..', import.meta.url).pathname
const mostParameters = 4

async function sourceFiles(): Promise<string[]> {
  const glob = new Bun.Glob('{src,integrations}/**/*.{ts,tsx}')
  return (await Array.fromAsync(glob.scan({ cwd: root }))).sort()
}

/** The functions of a file with more than four positional parameters, as `file: name`. */
async function longSignatures(file: string): Promise<string[]> {
  const text = await Bun.file(`${root}${file}`).text()
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && node.parameters.length > mostParameters) {
      found.push(`${file}: ${node.name?.getText(source) ?? 'a function without a name'}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

test('no function in src or integrations has more than four positional parameters', async () => {
  const files = await sourceFiles()
  expect(files.length).toBeGreaterThan(300)
  expect((await Promise.all(files.map(longSignatures))).flat()).toEqual([])
})
