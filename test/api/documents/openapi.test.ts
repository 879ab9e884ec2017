import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import * as v from 'valibot'
import { errorCodes } from '../../../src/api/errors/codes.ts'
import type { Operation } from '../../../src/api/openapi/operation.ts'
import { namedSchemas } from '../../../src/api/v1/schemas.ts'
import { fieldErrorCodes, Problem } from '../../../src/contract/problem.ts'
import { scopes } from '../../../src/contract/vocabulary.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { operations, requirePromised } from '../../support/response-check.ts'

let app: TestApp
// biome-ignore lint/suspicious/noExplicitAny: tests look into the document as a client would
let document: any

beforeAll(async () => {
  app = await startApp()
  document = await (await fetch(`${app.base}/openapi.json`)).json()
})
afterAll(async () => await app.close())

describe('The OpenAPI document', () => {
  test('the OpenAPI document is valid, needs no key and contains the address of the service', async () => {
    expect(await new Validator().validate(document)).toEqual({ valid: true })
    expect(document.servers).toEqual([{ url: 'http://tidings.test' }])
  })

  test('the OpenAPI document contains every operation of the API and no other', () => {
    const documented = Object.entries<object>(document.paths)
      .filter(([path]) => path.startsWith('/api/v1/'))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      )
    const mounted = operations.map(
      ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    )
    expect(documented.toSorted()).toEqual(mounted.toSorted())
  })

  test('the OpenAPI document has no broken reference, no unknown tag and no id twice', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)]
    for (const [, pointer = ''] of references) {
      expect(pointer.split('/').reduce((at, key) => at?.[key], document)).toBeObject()
    }
    const all = Object.values<object>(document.paths).flatMap((path) => Object.values(path))
    const tags = document.tags.map(({ name }: { name: string }) => name)
    for (const { tags: used } of all) expect(tags).toContain(used[0])
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length)
  })

  test('the OpenAPI document states types and limits as clients see them', () => {
    const { parameters } = document.paths['/api/v1/content_blocks'].get
    const parameter = (name: string) =>
      parameters.find((one: { name: string }) => one.name === name)
    expect(parameter('per_page').schema).toMatchObject({ type: 'integer', minimum: 1 })
    expect(parameter('status')).toMatchObject({
      in: 'query',
      explode: true,
      schema: { type: 'array', items: { $ref: '#/components/schemas/BlockStatus' } },
    })
    expect(parameter('created_after').schema.format).toBe('date-time')

    const { IngestPayload, ContentBlock } = document.components.schemas
    expect(IngestPayload.required).toEqual(['title', 'body'])
    expect(IngestPayload.properties.title).toMatchObject({ minLength: 1, maxLength: 255 })
    expect(IngestPayload.properties.publish_after.type).toEqual(['string', 'null'])
    expect(ContentBlock.properties.image_size).toMatchObject({
      anyOf: [{ $ref: '#/components/schemas/ImageSize' }, { type: 'null' }],
    })
    expect(document.components.schemas.BlockStatus.enum).toEqual(['draft', 'ready', 'used'])
    const { DraftRequest, NewEvent, TeamChange } = document.components.schemas
    expect(DraftRequest.properties.context).toMatchObject({ minLength: 1, maxLength: 4000 })
    expect(NewEvent.properties.event_date).toMatchObject({ format: 'date' })
    expect(TeamChange.properties.contact).toMatchObject({ maxLength: 255 })
    expect('#AB12CD').toMatch(new RegExp(TeamChange.properties.brand_color.pattern))
    const { parameters: headers } = document.paths['/api/v1/newsletters'].post
    expect(headers).toContainEqual(
      expect.objectContaining({ schema: expect.objectContaining({ maxLength: 255 }) }),
    )
    // Answers may grow: a document that closed them would break its own clients.
    expect(ContentBlock).not.toHaveProperty('additionalProperties')
  })

  test('the OpenAPI document allows the times that the API takes, also with t and z', () => {
    const { pattern } = document.components.schemas.NewBlock.properties.publish_after
    for (const time of [
      '2027-01-31T09:00:00Z',
      '2027-01-31t09:00:00.5z',
      '2027-01-31t09:00:00+02:00',
    ])
      expect(time).toMatch(new RegExp(pattern))
    expect('2027-01-31 09:00:00Z').not.toMatch(new RegExp(pattern))
  })

  test('the OpenAPI document allows only http and https addresses where the API takes no others', () => {
    const { NewBlock, PollOption, NewNewsletter, IngestPayload } = document.components.schemas
    const addresses = [
      ...[NewBlock.properties.image_url, NewBlock.properties.source_url],
      ...[PollOption.properties.url, NewNewsletter.properties.cover_image_url],
      ...[IngestPayload.properties.source_url, IngestPayload.properties.image_url],
    ]
    for (const { pattern } of addresses) {
      expect('HTTPS://acme.example/roof.jpg').toMatch(new RegExp(pattern))
      expect('http://acme.example/roof.jpg').toMatch(new RegExp(pattern))
      expect('mailto:ada@acme.example').not.toMatch(new RegExp(pattern))
      expect('ftp://acme.example/roof.jpg').not.toMatch(new RegExp(pattern))
    }
  })

  test('the OpenAPI document says that a block type belongs to one section of a template at most', () => {
    const { NewTemplate, TemplateChange } = document.components.schemas
    for (const { properties } of [NewTemplate, TemplateChange])
      expect(properties.sections.description).toContain(
        'Each block type is in one of them at most.',
      )
  })

  test('the OpenAPI document describes every property with an example', () => {
    const { schemas } = document.components
    const named = Object.entries<JsonSchema>(schemas)
    expect(named.flatMap(([name, schema]) => undescribed(name, schema))).toEqual([])
    const bodies = ['/healthz', '/readyz'].flatMap((path) =>
      Object.entries<JsonResponse>(document.paths[path].get.responses).flatMap(
        ([status, { content }]) =>
          undescribed(`${path} ${status}`, content?.['application/json']?.schema ?? {}),
      ),
    )
    expect(bodies).toEqual([])
    expect(JSON.stringify(schemas)).not.toContain('"default":null')
  })

  test('the OpenAPI document says where a limit is in bytes and not in characters', () => {
    const schemas = Object.entries<JsonSchema>(document.components.schemas)
    const limits = Object.keys(namedSchemas.requests).flatMap((name) =>
      Object.entries(new Map(schemas).get(name)?.properties ?? {}).flatMap(([key, property]) =>
        /KiB of UTF-8/.test(property.description ?? '') ? [`${name}.${key}`] : [],
      ),
    )
    expect(limits).toEqual([
      ...['IngestPayload.body', 'BulkIngestItem.body', 'NewBlock.body', 'BlockChange.body'],
      ...['NewEvent.description', 'NewEvent.suggested_content'],
      ...['EventChange.description', 'EventChange.suggested_content'],
      ...['NewNewsletter.intro', 'NewNewsletter.closing'],
      ...['NewsletterChange.intro', 'NewsletterChange.closing'],
      ...['ElementChange.body', 'PreviewRequest.note'],
    ])
  })

  test('the OpenAPI document describes every parameter and names the schema of every body', () => {
    const documented = Object.entries<object>(document.paths)
      .filter(([path]) => path.startsWith('/api/v1/'))
      .flatMap(([, methods]) => Object.values(methods))
    for (const { operationId, parameters, requestBody, responses } of documented) {
      for (const { name, description } of parameters) {
        expect({ operationId, name, description }).toEqual({
          operationId,
          name,
          description: expect.any(String),
        })
      }
      const bodies = [requestBody, ...Object.values<object>(responses)]
      const schemas = bodies.flatMap((body) => body?.content?.['application/json']?.schema ?? [])
      for (const schema of schemas) expect(schema).toHaveProperty('$ref')
    }
  })

  test('the example bodies of the OpenAPI document are accepted by the API', () => {
    for (const { body, bodyExample } of operations) {
      if (body && bodyExample) v.parse(body, bodyExample)
    }
  })

  test('the example responses of the OpenAPI document fit their schemas', () => {
    for (const { responses, schemas } of operations) {
      expect(Object.keys(schemas)).toEqual(Object.keys(responses))
      for (const [status, { example }] of Object.entries(responses)) {
        const schema = schemas[status]
        if (schema) v.parse(schema, example)
      }
    }
  })

  test('the OpenAPI document has an example of every error', () => {
    const examples: [string, { value: unknown }][] = Object.entries(document.components.examples)
    const undocumented = ['method_not_allowed', 'mail_unavailable']
    expect(examples.map(([code]) => code)).toEqual(
      errorCodes.filter((code) => !undocumented.includes(code)),
    )
    for (const [code, { value }] of examples) expect(v.parse(Problem, value).code).toBe(code)
  })

  test('the OpenAPI document names the codes of wrong fields', () => {
    const { description } = document.components.schemas.FieldError.properties.code
    for (const code of fieldErrorCodes) expect(description).toContain(`\`${code}\``)
  })

  test('the OpenAPI document names the errors and headers of each operation', () => {
    const { get, patch, delete: remove } = document.paths['/api/v1/content_blocks/{id}']
    expect(Object.keys(get.responses)).toEqual([
      '200',
      '304',
      '401',
      '403',
      '404',
      '429',
      '500',
      '503',
    ])
    expect(Object.keys(remove.responses)).toEqual([
      '204',
      '401',
      '403',
      '404',
      '409',
      '412',
      '422',
      '429',
      '500',
      '503',
    ])
    expect(remove.responses[204]).not.toHaveProperty('content')
    expect(patch.responses[200].headers).toHaveProperty('ETag')
    expect(patch.responses[412].headers).toHaveProperty('ETag')
    expect(patch.responses[409].headers).not.toHaveProperty('ETag')
    const { post, get: list } = document.paths['/api/v1/content_blocks']
    expect(Object.keys(post.responses)).toEqual([
      '201',
      '400',
      '401',
      '403',
      '409',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ])
    expect(post.responses[201].headers).toHaveProperty('Location')
    expect(Object.keys(post.responses[422].content['application/problem+json'].examples)).toEqual([
      'validation_failed',
      'idempotency_key_reused',
    ])
    expect(list.responses[200].headers).toHaveProperty('Link')
    expect(list.responses[429].headers).toHaveProperty('Retry-After')
    expect(Object.keys(document.paths['/api/v1/ping'].get.responses)).not.toContain('403')
  })
})

interface JsonResponse {
  content?: Record<string, { schema: JsonSchema }>
}

interface JsonSchema {
  description?: string
  examples?: unknown[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
}

/** The paths of the properties that have no description or no example. */
function undescribed(at: string, schema: JsonSchema): string[] {
  const inItems = schema.items ? undescribed(`${at}[]`, schema.items) : []
  const properties = Object.entries(schema.properties ?? {})
  const inProperties = properties.flatMap(([name, property]) => {
    const path = `${at}.${name}`
    const isDescribed = property.description && property.examples
    return [...(isDescribed ? [] : [path]), ...undescribed(path, property)]
  })
  return [...inItems, ...inProperties]
}

const named = (some: readonly Operation[]) =>
  some.map((operation) => [`${operation.method} ${operation.path}`, operation] as const)

test.each(named(operations))('%s responds with 401 without a key', async (_, operation) => {
  const { method } = operation
  const response = await fetch(`${app.base}/api/v1${addressOf(operation)}`, { method })
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toBe('Bearer')
})

const scoped = operations.filter(({ scope }) => scope !== 'any')
test.each(named(scoped))('%s responds with 403 to every other scope', async (_, operation) => {
  const others = scopes.filter((other) => other !== operation.scope)
  const { status, json } = await call(operation, await app.key(await app.team(), others))
  expect([status, json.required_scope]).toEqual([403, operation.scope])
})

const wide = operations.filter(({ allowIngestOnly }) => !allowIngestOnly)
test.each(named(wide))('%s responds with 403 to a key for ingest only', async (_, operation) => {
  const key = await app.key(await app.team(), ['write'], { ingest_only: true })
  const { status, json } = await call(operation, key)
  expect([status, json.required_option]).toEqual([403, 'ingest_only: false'])
})

const addressOf = ({ path }: Operation) =>
  path.slice('/api/v1'.length).replaceAll(/:\w+/g, 'unknown')

const call = async (operation: Operation, key: string) =>
  await client(app.base, key)(operation.method, addressOf(operation))

test('the client of these tests refuses a response that the OpenAPI document does not contain', () => {
  const reply = (status: number, json: unknown, type = 'application/problem+json') => ({
    status,
    json,
    headers: new Headers({ 'content-type': type }),
    text: JSON.stringify(json),
  })
  const notFound = document.components.examples.not_found.value
  const show = '/content_blocks/cb_1?x=1'
  expect(() => requirePromised('GET', '/ping', reply(200, { ping: {} }))).toThrow()
  expect(() => requirePromised('GET', '/nowhere', reply(200, {}))).toThrow()
  expect(() => requirePromised('GET', show, reply(404, { error: 'gone' }))).toThrow()
  expect(() => requirePromised('GET', '/ping', reply(404, notFound))).toThrow()
  const otherType = reply(404, notFound, 'application/json;charset=utf-8')
  expect(() => requirePromised('GET', show, otherType)).toThrow()
  requirePromised('GET', show, reply(404, notFound))
})
