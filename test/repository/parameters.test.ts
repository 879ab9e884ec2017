import { expect, test } from 'bun:test'
import ts from 'typescript'

const root = new URL('../..', import.meta.url).pathname
const maxParameters = 4

async function sourceFiles(): Promise<string[]> {
  const glob = new Bun.Glob('{src,integrations}/**/*.{ts,tsx}')
  return (await Array.fromAsync(glob.scan({ cwd: root }))).sort()
}

async function parse(file: string): Promise<ts.SourceFile> {
  const text = await Bun.file(`${root}${file}`).text()
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
}

/** The functions of a file with more than four positional parameters, as `file: name`. */
async function longSignatures(file: string): Promise<string[]> {
  const source = await parse(file)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && node.parameters.length > maxParameters) {
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

// `recordAudit(ctx, action, subject)` reads as the entry that it writes.
const auditFunctions = ['recordAudit', 'recordAuditEach', 'recordAccountAudit']

/** The first words of these functions. `has`, `is` and `wants` are questions; `docs/glossary.md` says what the others mean. */
const verbs = new Set(
  `accept acquire add adopt allow apply approve arrange ask assign begin cancel change check choose clear complete
  compose consume converse count create decide decline delete disconnect duplicate edit end export fail find get group has
  hash hide import invite is join link list lock mark needs notify open post preview promote purge queue reconnect record
  refresh release reload remind remove rename render reorder replace replay report require reset restore retry reveal review
  revoke rotate run save search send set shift start store trash undo unlink update wants with withdraw`.split(
    /\s+/,
  ),
)

/** The exported functions of a feature that take a context and are not `verb(ctx, input)`, as `file: name`. */
async function otherSignatures(file: string): Promise<string[]> {
  const source = await parse(file)
  return source.statements.filter(ts.isFunctionDeclaration).flatMap((statement) => {
    const { name, parameters, modifiers } = statement
    const isExported = modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    const types = parameters.map(({ type }) => type)
    const takesContext = /Context\b/.test(types[0]?.getText(source) ?? '')
    const last = types.at(-1)
    const most = last && ts.isFunctionTypeNode(last) ? 3 : 2
    if (!isExported || !takesContext || !name || auditFunctions.includes(name.text)) return []
    const isVerb = verbs.has(/^[a-z]+/.exec(name.text)?.[0] ?? '')
    return isVerb && parameters.length <= most ? [] : [`${file}: ${name.text}`]
  })
}

test('every exported function of a feature that takes a context is verb(ctx, input), with a callback as its only further parameter', async () => {
  const files = (await sourceFiles()).filter((file) => /^src\/features\/(?!.*sql\.ts$)/.test(file))
  expect(files.length).toBeGreaterThan(200)
  expect((await Promise.all(files.map(otherSignatures))).flat()).toEqual([])
})
