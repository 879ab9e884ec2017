import * as v from 'valibot'

/** A field as the OpenAPI document shows it: what it contains, in one sentence, and a value. */
export const described = <const Schema extends v.GenericSchema>(
  schema: Schema,
  description: string,
  example: unknown,
) => v.pipe(schema, v.metadata({ description, examples: [example] }))
