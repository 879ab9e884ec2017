import type * as v from 'valibot'
import { type Outcome, outcomeOf } from '../../lib/concurrency/batch.ts'
import { apiRequestOf, requireCheck } from '../authentication.ts'
import type { ReadBody } from '../input.ts'

/** Larger bodies are read after the key check, because an unknown key must not cause much work. */
const maxBytes = 16_384

type Read = Awaited<ReturnType<ReadBody>>

/** The body of a route that is read while the key of its request is being checked. */
export interface ReadAhead {
  /** True for a request whose body may be read before the check. */
  isShort(request: Request): boolean
  /** Begins to read the body of a request, unless it is large or `check` ends at once. */
  start(request: Request, check: Promise<unknown>): void
  /** The body of a request. Throws as the function that reads it. */
  readBody: ReadBody
}

/**
 * Reads and validates a body while PostgreSQL checks the key. Nothing that is found in it is used before
 * the check: its errors come after those of the key. `validate` is the validation of the route, which
 * finds its result when it is called again for the same body.
 */
export function createReadAhead(readBody: ReadBody, validate: (json: unknown) => void): ReadAhead {
  const reads = new WeakMap<Request, Promise<Outcome<Read> | undefined>>()
  const readAndValidate = async (request: Request, check: Promise<unknown>) => {
    let isChecked = false
    const end = () => {
      isChecked = true
    }
    check.then(end, end)
    // The statement of the check is sent at the end of this turn of the event loop.
    await new Promise(setImmediate)
    if (isChecked) return undefined
    const read = await outcomeOf(readBody(request))
    if ('value' in read) validate(read.value.json)
    return read
  }
  const isShort = ({ headers }: Request) =>
    Number(headers.get('content-length') ?? Number.NaN) <= maxBytes
  return {
    isShort,
    start(request, check) {
      if (isShort(request)) reads.set(request, readAndValidate(request, check))
    },
    async readBody(request) {
      const read = await reads.get(request)
      if (!read) return await readWhileUnchecked(request, readBody(request))
      if ('error' in read) throw read.error
      return read.value
    },
  }
}

/** How long a body may take before a key that was known is checked without it. */
const lateMs = 100

/**
 * The body of a request. When it is late and the key is still unchecked, the key is checked first, so that one that was
 * revoked or is over its limit gets its response at once. Bun skips the rest of the body, and the connection stays open.
 */
async function readWhileUnchecked(request: Request, body: Promise<Read>): Promise<Read> {
  const known = apiRequestOf(request)
  if (known.unchecked && (await isLate(body))) await requireCheck(known)
  return await body
}

async function isLate(body: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(late.resolve, lateMs, true)
  const isThere = () => late.resolve(false)
  body.then(isThere, isThere)
  try {
    return await late.promise
  } finally {
    clearTimeout(timer)
  }
}

/** A schema that validates each object once and remembers the result as long as the object lives. */
export function validateOnce<Schema extends v.GenericSchema>(schema: Schema): Schema {
  const standard = schema['~standard']
  const results = new WeakMap<object, ReturnType<typeof standard.validate>>()
  const validate = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return standard.validate(value)
    const result = results.get(value) ?? standard.validate(value)
    results.set(value, result)
    return result
  }
  return { ...schema, '~standard': { ...standard, validate } }
}
