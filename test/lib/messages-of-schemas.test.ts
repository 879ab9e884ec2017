import { expect, test } from 'bun:test'
import * as v from 'valibot'
import { namedSchemas } from '../../src/api/v1/schemas.ts'
import { AppError } from '../../src/lib/errors.ts'
import { inputError } from '../../src/lib/parse.ts'
import { operations } from '../support/response-check.ts'

/** A value of each kind that JSON has, and some that fields refuse. */
const values: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e300, '', ' ', 'x', 'X y', '\n', '\0', '\ud800', 'x'.repeat(70_000)],
  ...[[], [null], [0], ['x'], [''], [{}], Array(301).fill('x'), {}, { x: 1 }, { type: 'poll' }],
]

const bodies = Object.entries<v.GenericSchema>(namedSchemas.requests)
const queries = operations.flatMap(({ operationId, query }) =>
  query ? [[`the query of ${operationId}`, query] as const] : [],
)

/** The names of the fields of a schema, also of the variants of one. */
function fieldsOf(schema: object): string[] {
  if ('options' in schema && Array.isArray(schema.options)) return schema.options.flatMap(fieldsOf)
  return 'entries' in schema ? Object.keys(schema.entries ?? {}) : []
}

/** The inputs in which one field has a wrong value, also inside of lists and objects. */
function badInputs(schema: v.GenericSchema): unknown[] {
  const fields = fieldsOf(schema)
  const each = fields.flatMap((field) => values.map((value) => ({ [field]: value })))
  const all = values.map((value) => Object.fromEntries(fields.map((field) => [field, value])))
  const nested = fields.flatMap((field) =>
    values.flatMap((value) => [
      { [field]: [{ title: value, block_types: [value], label: value, url: value, body: value }] },
      { [field]: { font: value, width: value, accent_color: value, show_logo: value } },
      ...(field === 'type'
        ? []
        : [
            { type: 'poll', [field]: value },
            { type: 'callout', [field]: value },
          ]),
    ]),
  )
  return [...values, ...each, ...all, ...nested]
}

test.each([...bodies, ...queries])('every error of %s is a plain sentence', (_, schema) => {
  const sentences = new Set<string>()
  for (const input of badInputs(schema)) {
    if (v.is(schema, input)) continue
    const { details, message } = inputError(schema, input)
    expect(details.fields).not.toEqual([])
    for (const field of details.fields ?? []) sentences.add(field.message)
    expect(new AppError('validation_failed', message).message).toBe(message)
  }
  const plain = /^[a-z_\d.]+(?: item)?(?: body)? (?:must|is|has|may|needs) /
  for (const sentence of sentences) {
    expect(sentence).not.toMatch(
      /Invalid|Expected|[Rr]eceived|undefined|\bnull\b|NaN|\[object|is not valid$/,
    )
    expect(sentence).toMatch(plain)
  }
})
