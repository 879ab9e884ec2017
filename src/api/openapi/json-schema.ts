import {
  type ConversionConfig,
  type JsonSchema,
  toJsonSchema,
  toJsonSchemaDefs,
} from '@valibot/to-json-schema'
import type * as v from 'valibot'

export interface NamedSchemas {
  /** Bodies that clients send: the document shows them before parsing. */
  requests: Record<string, v.GenericSchema>
  /** What answers are made of: the document shows them as they leave. */
  answers: Record<string, v.GenericSchema>
}

export interface SchemaWriter {
  /** What a client may send. */
  request(schema: v.GenericSchema): JsonSchema
  /** What an answer looks like; also what a parameter's text has to be. */
  answer(schema: v.GenericSchema): JsonSchema
  /** The named schemas, for the document's `components`. */
  components: Record<string, JsonSchema>
}

/**
 * Writes Valibot schemas as the JSON Schema of OpenAPI 3.1, named ones as references. Code inside a
 * schema (`v.check`, `v.transform`) is left out; a schema that JSON cannot express throws.
 */
export function createSchemaWriter(named: NamedSchemas): SchemaWriter {
  const requests = settings('input', named.requests)
  const answers = settings('output', named.answers)
  return {
    request: (schema) => write(schema, requests),
    answer: (schema) => write(schema, answers),
    components: {
      ...toJsonSchemaDefs(named.requests, requests),
      ...toJsonSchemaDefs(named.answers, answers),
    },
  }
}

const settings = (
  typeMode: 'input' | 'output',
  definitions: NamedSchemas['answers'],
): ConversionConfig => ({
  target: 'draft-2020-12',
  typeMode,
  definitions,
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideAction: ({ jsonSchema }) => jsonSchema,
  overrideSchema: ({ jsonSchema }) =>
    withNullAsType(typeMode === 'output' ? open(jsonSchema) : jsonSchema),
})

function write(schema: v.GenericSchema, config: ConversionConfig): JsonSchema {
  const { $schema: _, $defs: __, ...written } = toJsonSchema(schema, config)
  return written
}

/** Members may be added to answers: the document must not forbid what clients have to bear. */
function open(schema: JsonSchema): JsonSchema {
  if (schema.additionalProperties !== false) return schema
  const { additionalProperties: _, ...rest } = schema
  return rest
}

/** `{type: [string, null]}` for `{anyOf: [{type: string}, {type: null}]}`: people and tools read it better. */
function withNullAsType(schema: JsonSchema): JsonSchema {
  const { anyOf: [inner, other] = [], ...rest } = schema
  const nullable = typeof other === 'object' && other.type === 'null'
  if (!nullable || typeof inner !== 'object' || typeof inner.type !== 'string') return schema
  return {
    ...rest,
    ...inner,
    type: [inner.type, 'null'],
    ...(inner.enum && { enum: [...inner.enum, null] }),
  }
}
