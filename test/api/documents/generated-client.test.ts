import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { startApp, type TestApp } from '../../support/app.ts'
import { temporaryFolder } from '../../support/run/test-run.ts'

let app: TestApp
let types: string
beforeAll(async () => {
  app = await startApp()
  types = astToString(await openapiTS(new URL('/openapi.json', app.base)))
})
afterAll(() => app.close())

/** What a developer would write with the generated types; a comment says what must not compile. */
const program = `
import type { components, operations, paths } from './types.ts'

type Schemas = components['schemas']

const type: Schemas['BlockType'] = 'wins_milestones'
export const block: Schemas['NewBlock'] = { title: 'A win', body: 'We did it.', block_type: type }
// @ts-expect-error: an unknown type
export const wrong: Schemas['NewBlock'] = { title: 'A win', body: 'b', block_type: 'win' }
// @ts-expect-error: no title
export const untitled: Schemas['NewBlock'] = { body: 'b' }

export const poll: Schemas['NewElement'] = {
  type: 'poll', heading: 'Where?', options: [{ label: 'Here', url: 'https://a.example' }],
}
// @ts-expect-error: a divider has no heading
export const divider: Schemas['NewElement'] = { type: 'divider', heading: 'x' }

export function describe(result: Schemas['BulkIngestResult']): string {
  return 'problem' in result ? result.problem.detail : result.content_block.title
}
export const labelOf = ({ image_size, origin }: Schemas['ContentBlock']): string =>
  [image_size ?? 'none', origin?.provider ?? 'none'].join()
export const reasonOf = ({ code, fields = [], allowed = [] }: Schemas['Problem']): string =>
  [code, ...fields.map(({ pointer }) => pointer), ...allowed].join()

export const query: operations['listContentBlocks']['parameters']['query'] = {
  status: ['draft', 'ready'], sort: 'updated_at', per_page: 100,
}
type Created = paths['/api/v1/newsletters']['post']['responses'][201]['content']['application/json']
export const titleOf = ({ newsletter, warnings = [] }: Created): string =>
  [newsletter.title, ...warnings].join()
`

test('the types that openapi-typescript generates fit a program that uses the API', async () => {
  const folder = await temporaryFolder('generated-client')
  await Bun.write(join(folder, 'types.ts'), types)
  await Bun.write(join(folder, 'program.ts'), program)
  const { getPreEmitDiagnostics, createProgram, flattenDiagnosticMessageText } = ts
  const compiled = createProgram([join(folder, 'program.ts')], {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: [],
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    lib: ['lib.es2023.d.ts'],
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  })
  const errors = getPreEmitDiagnostics(compiled).map(({ messageText }) =>
    flattenDiagnosticMessageText(messageText, ' '),
  )
  expect(errors).toEqual([])
})
