import type { JsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { Problem } from '../../contract/problem.ts'
import { contactOf, introduction, securitySchemes, servicePaths, serviceTag } from './info.ts'
import { createSchemaWriter, type NamedSchemas, type SchemaWriter } from './json-schema.ts'
import { type Operation, tags } from './operation.ts'
import {
  problemExamples,
  responsesOf,
  sharedHeaders,
  supportsIdempotencyKey,
  supportsIfNoneMatch,
} from './responses.ts'

interface DocumentOptions {
  /** How clients reach the service, without a slash at the end. */
  baseUrl: string
  version: string
  schemas: NamedSchemas
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  style?: 'form'
  explode?: boolean
  schema: JsonSchema
}

/**
 * The OpenAPI 3.1 document of these operations: parameters, bodies, every success and every error
 * with examples. It is built from the routes themselves, so that it cannot differ from them. Paths and
 * components are written when they are first read: this takes 0.1 s, and no start has to wait for it.
 */
export function openApiDocument(
  operations: readonly Operation[],
  { baseUrl, version, schemas }: DocumentOptions,
) {
  const used = new Set<string>(operations.map(({ tag }) => tag))
  const usedTags = Object.entries(tags).filter(([name]) => used.has(name))
  let written: ReturnType<typeof writeOperations> | undefined
  const operationDocs = () => {
    written ??= writeOperations(operations, schemas)
    return written
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidings API',
      version,
      description: introduction,
      contact: contactOf(baseUrl),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: [...usedTags.map(([name, description]) => ({ name, description })), serviceTag],
    get paths() {
      return operationDocs().paths
    },
    get components() {
      return operationDocs().components
    },
  }
}

function writeOperations(operations: readonly Operation[], schemas: NamedSchemas) {
  const responses = { ...schemas.responses, Problem }
  const writer = createSchemaWriter({ ...schemas, responses })
  return {
    paths: { ...pathsOf(operations, writer), ...servicePaths },
    components: {
      schemas: writer.components,
      headers: sharedHeaders,
      examples: problemExamples(operations),
      securitySchemes,
    },
  }
}

function pathsOf(operations: readonly Operation[], writer: SchemaWriter) {
  const paths: Record<string, Record<string, ReturnType<typeof describe>>> = {}
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, writer) }
  }
  return paths
}

function describe(operation: Operation, writer: SchemaWriter) {
  const query = operation.query ? queryParameters(writer.response(operation.query)) : []
  const isList = query.some(({ name }) => name === 'page')
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: [operation.description, whoMay(operation)].filter(Boolean).join('\n\n'),
    'x-scope': operation.scope,
    security: [{ bearer: [] }, { api_key: [] }],
    parameters: [...pathParameters(operation), ...query, ...headerParameters(operation)],
    ...(operation.body && { requestBody: requestBody(operation, operation.body, writer) }),
    responses: responsesOf(operation, isList, writer),
  }
}

function whoMay({ scope, allowIngestOnly }: Operation): string {
  if (scope === 'any') return 'Works with every valid key.'
  const narrowed = allowIngestOnly ? ', also one made for ingest only' : ''
  return `Needs a key with the scope \`${scope}\`${narrowed}.`
}

/** The parameters of paths, by name. */
const pathParameterDocs: Record<string, { description: string; example: string }> = {
  id: { description: 'The id of the resource.', example: 'nl_019a9f3e2b7c7d10a3b4c5d6e7f80912' },
  newsletter_block_id: {
    description: 'The id of the block in the newsletter.',
    example: 'nb_019a9f3f41c57e02b1d2c3b4a5968778',
  },
  element_id: {
    description: 'The id of the element.',
    example: 'ne_019a9f3f41c57e02b1d2c3b4a5968778',
  },
  slug: { description: 'The name of the resource in addresses.', example: 'clean' },
}

function pathParameters({ path }: Operation): Parameter[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return names.map((name) => ({
    name,
    in: 'path',
    required: true,
    ...pathParameterDocs[name],
    schema: { type: 'string' },
  }))
}

function queryParameters({ properties = {}, required = [] }: JsonSchema): Parameter[] {
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = typeof property === 'object' ? property : {}
    // The default of a list is the empty one, which goes without saying.
    if (schema.type === 'array') delete schema.default
    return {
      name,
      in: 'query',
      ...(required.includes(name) && { required: true }),
      ...(description && { description }),
      ...(schema.type === 'array' && { style: 'form', explode: true }),
      schema,
    }
  })
}

function headerParameters(operation: Operation): Parameter[] {
  const headers: Record<string, string> = {
    ...(supportsIdempotencyKey(operation) && {
      'Idempotency-Key': 'Makes a repeated request harmless for at least 24 hours.',
    }),
    ...(supportsIfNoneMatch(operation) && {
      'If-None-Match':
        'The `ETag` of the version that you have: 304 when it is still the present one.',
    }),
    ...operation.requestHeaders,
  }
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: headerSchemas[name] ?? { type: 'string' },
  }))
}

/** What a header has to be, where it is not any text. */
const headerSchemas: Record<string, JsonSchema> = {
  'Idempotency-Key': { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  'If-Match': { type: 'string', examples: ['"v3"'] },
  'If-None-Match': { type: 'string', examples: ['"v3"'] },
}

function requestBody(operation: Operation, body: v.GenericSchema, writer: SchemaWriter) {
  const { bodyExample, bodyTypes = {}, bodySchema = body } = operation
  return {
    // An empty body is an empty object: it will do where nothing is required.
    required: !v.is(body, {}),
    content: {
      'application/json': {
        schema: writer.request(bodySchema),
        ...(bodyExample !== undefined && { example: bodyExample }),
      },
      ...Object.fromEntries(Object.entries(bodyTypes).map(([type, schema]) => [type, { schema }])),
    },
  }
}
