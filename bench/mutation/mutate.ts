import ts from 'typescript'

/** A change of one place of a file that tests should notice. */
export interface Mutant {
  file: string
  line: number
  /** What the change replaces, and by what. */
  before: string
  after: string
  source: string
}

/** One replacement of the text between two offsets. */
interface Change {
  start: number
  end: number
  text: string
}

const operators: Partial<Record<ts.SyntaxKind, string[]>> = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: ['!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: ['==='],
  [ts.SyntaxKind.LessThanToken]: ['<='],
  [ts.SyntaxKind.LessThanEqualsToken]: ['<'],
  [ts.SyntaxKind.GreaterThanToken]: ['>='],
  [ts.SyntaxKind.GreaterThanEqualsToken]: ['>'],
  [ts.SyntaxKind.AmpersandAmpersandToken]: ['||'],
  [ts.SyntaxKind.BarBarToken]: ['&&'],
  [ts.SyntaxKind.PlusToken]: ['-'],
  [ts.SyntaxKind.MinusToken]: ['+'],
  [ts.SyntaxKind.AsteriskToken]: ['/'],
}

// What decides in SQL: locks, conflicts, comparisons and conditions.
const sqlChanges: readonly [RegExp, string][] = [
  [/\bfor (?:update|share|key share|no key update)(?: of \w+)?/g, ''],
  [/\bon conflict do nothing/g, ''],
  [/\band [a-z_.]+ is null/g, ''],
  [/ is not null/g, ' is null'],
  [/ <= /g, ' >= '],
  [/ >= /g, ' <= '],
  [/ > /g, ' < '],
  [/ < /g, ' > '],
  [/ <> /g, ' = '],
  [/\bleast\(/g, 'greatest('],
  [/\bgreatest\(/g, 'least('],
  [/\binterval '\d+ \w+'/g, "interval '0'"],
]

/** All mutants of a file: of conditions, operators, literals, statements and SQL. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const root = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const changes: Change[] = []
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return
    if (ts.isTypeAliasDeclaration(node)) return
    changes.push(...changesOf(node, source))
    ts.forEachChild(node, visit)
  }
  visit(root)
  return changes.map(({ start, end, text }) => ({
    file,
    line: root.getLineAndCharacterOfPosition(start).line + 1,
    before: source.slice(start, end),
    after: text,
    source: source.slice(0, start) + text + source.slice(end),
  }))
}

function changesOf(node: ts.Node, source: string): Change[] {
  const [start, end] = [node.getStart(), node.getEnd()]
  if (ts.isBinaryExpression(node)) return binaryChanges(node)
  if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
    const condition = ts.isIfStatement(node) ? node.expression : node.condition
    const place = { start: condition.getStart(), end: condition.getEnd() }
    return ['true', 'false'].map((text) => ({ ...place, text }))
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ start, end, text: 'false' }]
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ start, end, text: 'true' }]
  if (ts.isNumericLiteral(node)) return [{ start, end, text: `(${node.text} + 1)` }]
  if (ts.isExpressionStatement(node)) return [{ start, end, text: ';' }]
  if (ts.isThrowStatement(node)) return [{ start, end, text: ';' }]
  if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    return sqlChangesOf(source, start, end)
  }
  return []
}

function binaryChanges({ left, operatorToken, right }: ts.BinaryExpression): Change[] {
  const place = { start: operatorToken.getStart(), end: operatorToken.getEnd() }
  if (operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) {
    return [{ start: left.getEnd(), end: right.getEnd(), text: '' }]
  }
  return (operators[operatorToken.kind] ?? []).map((text) => ({ ...place, text }))
}

function sqlChangesOf(source: string, start: number, end: number): Change[] {
  return sqlChanges.flatMap(([pattern, text]) =>
    [...source.slice(start, end).matchAll(pattern)].map(({ 0: found, index }) => ({
      start: start + index,
      end: start + index + found.length,
      text,
    })),
  )
}
