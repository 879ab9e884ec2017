import type * as v from 'valibot'
import type { Scope } from '../contract/vocabulary.ts'
import type { AiDrafts } from '../features/ai-drafts/index.ts'
import type { Caller, KeyChecks } from '../features/api-keys/index.ts'
import type { IdempotencyKey } from '../features/idempotency/index.ts'
import type { Ingest } from '../features/ingest/index.ts'
import type { CountInPeriod } from '../features/teams/index.ts'
import type { Now } from '../lib/clock.ts'
import type { Sql, Tx } from '../lib/db.ts'
import type { ErrorCode } from '../lib/errors.ts'
import type { Cursors } from '../lib/pagination.ts'

/** What operations are grouped by, in the order the documentation shows them. */
export const tags = {
  Ingest: 'The way into the library for every tool: one request per item.',
  'Content blocks': 'The library: what came in, to be reviewed and used.',
  Newsletters: 'Issues, put together from content blocks.',
  Templates: 'What newsletters look like.',
  Events: 'The calendar that content can be about.',
  Team: 'The team behind the key.',
} as const
type Tag = keyof typeof tags

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** What operations work with; made once by the composition root. */
export interface ApiDeps extends KeyChecks {
  sql: Sql
  now: Now
  ingest: Ingest
  drafts: AiDrafts
  cursors: Cursors
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
  /** What the caller sent as Idempotency-Key with this body, or null. */
  idempotency: IdempotencyKey | null
  request: Request
}

/** A success answer as it is documented; without a schema it has no body. */
interface AnswerDoc {
  description: string
  schema?: v.GenericSchema
  example?: unknown
  /** It can be had as a page, too, by `Accept: text/html`. */
  html?: boolean
}

export interface Answer {
  status: number
  body?: unknown
  /** A page instead of a body. */
  html?: string
  headers?: Record<string, string>
  /** Never answered 304: its tag does not cover all that it shows. */
  alwaysFull?: boolean
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
  tag: Tag
  summary: string
  description?: string
  /** `any` for every valid key. */
  scope: Scope | 'any'
  /** Keys narrowed to ingest may call it. */
  forIngestOnly?: boolean
  query?: Query
  body?: Body
  /** A body as a client would send it, for the documentation. */
  bodyExample?: v.InferInput<Body>
  /** Header parameters worth documenting, by name. */
  requestHeaders?: Record<string, string>
  /** Success answers by status, with the schema of their body. */
  answers: Record<number, AnswerDoc>
  /** Headers of the success answers worth documenting, by name, beyond those every answer has. */
  answerHeaders?: Record<string, string>
  /** Error codes beyond those every operation has. */
  errors?: ErrorCode[]
  /** How long it may work without a byte on the line, where the server's 30 s are too few. */
  timeoutSeconds?: number
  /** Finds what the path names, so that its absence is told before a fault of the body. */
  find?(deps: ApiDeps, call: Pick<Call, 'caller' | 'params'>): Promise<unknown>
  work: Work<v.InferOutput<Query>, v.InferOutput<Body>>
}

/** What an operation does, by what the pipeline has to hold for it. */
type Work<Query, Body> =
  /** The key is asked for once more before the answer leaves. */
  | { read(deps: ApiDeps, call: Call<Query, Body>): Promise<Answer> }
  /** In one transaction with the key held and, for a POST, its Idempotency-Key remembered. */
  | { write(deps: ApiDeps, call: Call<Query, Body>, tx: Tx): Promise<Answer> }
  /** Holds the key and the Idempotency-Key by itself. */
  | { run(deps: ApiDeps, call: Call<Query, Body>): Promise<Answer> }

/** Checks an operation's types against each other, then forgets them: the pipeline sees all alike. */
export function operation<Query extends v.GenericSchema, Body extends v.GenericSchema>(
  definition: Operation<Query, Body>,
): Operation {
  // Sound because the pipeline calls `work` only with what `definition.query` and `.body` parsed.
  return definition as unknown as Operation
}
