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
  /** The schemas of responses: the document shows them after parsing. */
  responses: Record<string, v.GenericSchema>
  /** The lists of values that fields are chosen from. */
  values: Record<string, readonly string[]>
}

export interface SchemaWriter {
  /** What a client may send. */
  request(schema: v.GenericSchema): JsonSchema
  /** The schema of a response, or of the value of a parameter. */
  response(schema: v.GenericSchema): JsonSchema
  /** The named schemas, for the document's `components`. */
  components: Record<string, JsonSchema>
}

/**
 * Writes Valibot schemas as the JSON Schema of OpenAPI 3.1, named ones as references. Code inside a
 * schema (`v.check`, `v.transform`) is left out; a schema that JSON cannot express throws.
 */
export function createSchemaWriter(named: NamedSchemas): SchemaWriter {
  const requests = settings('input', named.requests, named.values)
  const responses = settings('output', named.responses, named.values)
  return {
    request: (schema) => write(schema, requests),
    response: (schema) => write(schema, responses),
    components: {
      ...valueComponents(named.values),
      ...toJsonSchemaDefs(named.requests, requests),
      ...toJsonSchemaDefs(named.responses, responses),
    },
  }
}

const settings = (
  typeMode: 'input' | 'output',
  definitions: NamedSchemas['responses'],
  values: NamedSchemas['values'],
): ConversionConfig => ({
  target: 'draft-2020-12',
  typeMode,
  definitions,
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideAction: ({ jsonSchema }) => jsonSchema,
  overrideSchema: ({ valibotSchema, jsonSchema }) => {
    const list = nameOfValues(valibotSchema, values)
    if (list) return { $ref: `#/components/schemas/${list}` }
    const opened = typeMode === 'output' ? open(jsonSchema) : jsonSchema
    const written = withNullAsType(withReferences(valibotSchema, opened, definitions))
    const isOpen = valibotSchema.type === 'loose_object'
    return isOpen ? { ...written, additionalProperties: true } : written
  },
})

const valueComponents = (values: NamedSchemas['values']): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(values).map(([name, list]) => [
      name,
      { type: 'string', enum: [...list], examples: list.slice(0, 1) },
    ]),
  )

/** The name of the list that a schema takes its values from, if it has one. */
const nameOfValues = (schema: object, values: NamedSchemas['values']): string | undefined =>
  'options' in schema
    ? Object.keys(values).find((name) => values[name] === schema.options)
    : undefined

/** Refers to named schemas where a property is one of them with a description of its own. */
function withReferences(
  schema: object,
  written: JsonSchema,
  definitions: NamedSchemas['responses'],
): JsonSchema {
  if (!written.properties || !('entries' in schema)) return written
  const entries: [string, unknown][] = Object.entries(schema.entries ?? {})
  const properties = { ...written.properties }
  for (const [key, entry] of entries) {
    const property = properties[key]
    const name = nameOfDescribed(entry, definitions)
    if (name && typeof property === 'object') properties[key] = referTo(name, property)
  }
  return { ...written, properties }
}

/** The name of the schema that `described` has given a description, if it has one. */
function nameOfDescribed(
  schema: unknown,
  definitions: NamedSchemas['responses'],
): string | undefined {
  if (typeof schema !== 'object' || schema === null || !('pipe' in schema)) return undefined
  const [head]: readonly unknown[] = Array.isArray(schema.pipe) ? schema.pipe : []
  return Object.keys(definitions).find((name) => definitions[name] === head)
}

/** OpenAPI 3.1 allows a description and examples beside a reference. */
const referTo = (name: string, { description, examples }: JsonSchema): JsonSchema => ({
  $ref: `#/components/schemas/${name}`,
  ...(description !== undefined && { description }),
  ...(examples !== undefined && { examples }),
})

function write(schema: v.GenericSchema, config: ConversionConfig): JsonSchema {
  const { $schema: _, $defs: __, ...written } = toJsonSchema(schema, config)
  return written
}

/** Members can be added to responses, so that the document must not forbid others. */
function open(schema: JsonSchema): JsonSchema {
  if (schema.additionalProperties !== false) return schema
  const { additionalProperties: _, ...rest } = schema
  return rest
}

/** `{type: [string, null]}` for `{anyOf: [{type: string}, {type: null}]}`: people and tools read it better. */
function withNullAsType(schema: JsonSchema): JsonSchema {
  const { anyOf: [inner, other] = [], ...rest } = schema
  const nullable = typeof other === 'object' && other.type === 'null'
  if (!nullable || typeof inner !== 'object') return schema
  if (inner.$ref !== undefined) {
    const { $ref, ...described } = inner
    return { ...rest, ...described, anyOf: [{ $ref }, other] }
  }
  if (typeof inner.type !== 'string') return schema
  return {
    ...rest,
    ...inner,
    type: [inner.type, 'null'],
    ...(inner.enum && { enum: [...inner.enum, null] }),
  }
}
