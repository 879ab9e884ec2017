import type { JsonSchema } from '@valibot/to-json-schema'
import type { DocumentDecoration } from 'elysia'
import type * as v from 'valibot'
import type { Scope } from '../../contract/vocabulary.ts'
import type { ErrorCode } from '../../lib/errors.ts'
import { isSchema } from '../../lib/parse.ts'
import { declaredSchema } from '../response.ts'

/** What operations are grouped by, in the order the documentation shows them. */
export const tags = {
  Ingest: 'The entrance to the library for every tool: one request for each item.',
  'Content blocks': 'The library: incoming content, to be reviewed and used.',
  Images: 'Pictures of content blocks, in the form that emails need.',
  Newsletters: 'Issues, composed from content blocks.',
  Templates: 'The appearance of newsletters.',
  Events: 'The calendar that content can be about.',
  Team: 'The team of the key.',
  Connections: 'The integrations of the team and their health.',
} as const

/** A success response as the document shows it. */
interface ResponseDoc {
  description: string
  example?: unknown
  /** `Accept: text/html` gets a page instead of JSON. */
  html?: boolean
}

/** What the document says of a route beyond its schemas. */
export interface OperationDoc<Body = unknown> {
  /** Unique and stable: generated clients name their functions by it. */
  operationId: string
  summary: string
  description?: string
  /** The body as clients send it, where the route itself accepts more. */
  bodySchema?: v.GenericSchema
  /** A body as a client would send it. */
  bodyExample?: Body
  /** Other types than JSON that the body can have, with what they are. */
  bodyTypes?: Record<string, JsonSchema>
  /** The largest body in bytes, where it is not the usual one. */
  maxBodyBytes?: number
  /** Header parameters, by name. */
  requestHeaders?: Record<string, string>
  /** The success responses, by status. */
  responses: Record<number, ResponseDoc>
  /** Headers of the success responses, by name, beyond those that every response has. */
  responseHeaders?: Record<string, string>
  /** Error codes beyond those that every operation of its kind has. */
  errors?: ErrorCode[]
}

/** What the `access` macro requires of a key. */
interface AccessDoc {
  scope: Scope | 'any'
  allowIngestOnly: boolean
}

/** The `detail` of a route. */
export function document(doc: OperationDoc): DocumentDecoration {
  const { operationId, summary, description } = doc
  const known = { operationId, summary, ...(description && { description }) }
  return decoration({ ...known, 'x-operation': doc })
}

/** The `detail` that the `access` macro adds to a route. */
export const documentAccess = ({ scope, allowIngestOnly }: AccessDoc): DocumentDecoration =>
  decoration({ 'x-scope': scope, 'x-ingest-only': allowIngestOnly })

/** Sound because OpenAPI allows any member with `x-`; Elysia's type does not list them. */
const decoration = (members: object): DocumentDecoration => members

/** A documented route: what its document, and tests of all routes, read of it. */
export interface Operation extends AccessDoc, OperationDoc {
  method: string
  /** With parameters as `:name`. */
  path: string
  tag: string
  query?: v.ObjectSchema<v.ObjectEntries, undefined>
  body?: v.GenericSchema
  /** The schemas of the success responses, by status. */
  schemas: Record<string, v.GenericSchema>
}

/** What of Elysia's `app.routes` is read here. */
interface Route {
  method: string
  path: string
  hooks: {
    detail?: { tags?: string[]; hide?: boolean }
    query?: unknown
    body?: unknown
    response?: unknown
  }
}

/** The operations among an app's routes, in their order. */
export function operationsOf(routes: readonly Route[]): Operation[] {
  return routes.flatMap(({ method, path, hooks }) => {
    const details = hooks.detail ?? {}
    if (!isDocumented(details)) return []
    const { query, body } = hooks
    return {
      ...details['x-operation'],
      method,
      path: path.length > 1 ? path.replace(/\/$/, '') : path,
      tag: details.tags?.[0] ?? '',
      scope: details['x-scope'],
      allowIngestOnly: details['x-ingest-only'],
      ...(isObjectSchema(query) && { query }),
      ...(isSchema(body) && { body }),
      schemas: schemasOf(hooks.response),
    }
  })
}

interface Documented {
  'x-operation': OperationDoc
  'x-scope': Scope | 'any'
  'x-ingest-only': boolean
  tags?: string[]
}

/** Sound because only `document` and `documentAccess` write these members. */
const isDocumented = (details: object): details is Documented =>
  'x-operation' in details && 'x-scope' in details

const isObjectSchema = (value: unknown): value is v.ObjectSchema<v.ObjectEntries, undefined> =>
  isSchema(value) && 'entries' in value

function schemasOf(response: unknown): Record<string, v.GenericSchema> {
  const declared = Object.entries(typeof response === 'object' && response ? response : {})
  return Object.fromEntries(
    declared.flatMap(([status, declaration]) => {
      const schema = declaredSchema(declaration)
      return schema && Number(status) < 400 ? [[status, schema]] : []
    }),
  )
}

/** How `If-Match` is documented where it counts. */
export const ifMatch = {
  'If-Match': 'The version you read, such as `"v3"`: 412 when it has changed since.',
}

/** How the tag of a versioned resource is documented. */
export const entityTag = {
  ETag: 'The version, to send back as `If-Match` or `If-None-Match`.',
}

/** How the tag of a part of a newsletter is documented. */
export const newsletterTag = {
  ETag: 'The version of the newsletter, to send back as `If-Match` or `If-None-Match`.',
}
