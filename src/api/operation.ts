import type * as v from 'valibot'
import type { Scope } from '../contract/vocabulary.ts'
import type { Authenticate, Caller } from '../features/access/index.ts'
import type { Ingest } from '../features/blocks/index.ts'
import type { CountInPeriod } from '../features/teams/index.ts'
import type { Now } from '../lib/clock.ts'
import type { Sql } from '../lib/db.ts'
import type { ErrorCode } from '../lib/errors.ts'
import type { Cursors } from '../lib/pages.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** What operations work with; made once by the composition root. */
export interface ApiDeps {
  sql: Sql
  authenticate: Authenticate
  ingest: Ingest
  cursors: Cursors
  now: Now
  /** The operator's word on AI drafts a month; null leaves it to the team's plan. */
  aiDraftsPerMonth: number | null
  countNewsletters: CountInPeriod
}

/** One call, authenticated, limited, authorised and parsed: what is left is the work. */
export interface Call<Query = unknown, Body = unknown> {
  caller: Caller
  params: Record<string, string>
  query: Query
  body: Body
  /** SHA-256 of the body's bytes, in hex. */
  bodyHash: string
  request: Request
}

export interface Answer {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

/**
 * One endpoint of the API as data. The pipeline carries it out, the OpenAPI document describes it, a
 * test walks it: all three read the same object.
 */
export interface Operation<
  Query extends v.GenericSchema = v.GenericSchema,
  Body extends v.GenericSchema = v.GenericSchema,
> {
  method: Method
  /** Below `/api/v1`, parameters as `:name`. */
  path: string
  tag: string
  summary: string
  description?: string
  /** `any` for every valid key. */
  scope: Scope | 'any'
  /** Keys narrowed to ingest may call it. */
  forIngestOnly?: boolean
  query?: Query
  body?: Body
  /** Header parameters worth documenting, by name. */
  requestHeaders?: Record<string, string>
  /** Success answers by status, with the schema of their body. */
  answers: Record<number, { description: string; schema: v.GenericSchema; example: unknown }>
  /** Error codes beyond those every operation has. */
  errors?: ErrorCode[]
  /** Finds what the path names, so that its absence is told before a fault of the body. */
  find?(deps: ApiDeps, call: Pick<Call, 'caller' | 'params'>): Promise<unknown>
  run(deps: ApiDeps, call: Call<v.InferOutput<Query>, v.InferOutput<Body>>): Promise<Answer>
}

/** Checks an operation's types against each other, then forgets them: the pipeline sees all alike. */
export function operation<Query extends v.GenericSchema, Body extends v.GenericSchema>(
  definition: Operation<Query, Body>,
): Operation {
  // Sound because the pipeline calls `run` only with what `definition.query` and `.body` parsed.
  return definition as unknown as Operation
}
