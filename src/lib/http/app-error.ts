import { NotFoundError, ParseError, ValidationError } from 'elysia'
import { AppError, notFound } from '../errors.ts'
import { inputError, isSchema } from '../parse.ts'

/**
 * Any error as an `AppError`. Elysia's own errors become ours: what a `parse` hook threw, input that
 * a route's Valibot schema rejects, an unknown path. An unforeseen error becomes `internal_error`
 * with the cause inside, for the log only.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof ParseError && error.cause instanceof AppError) return error.cause
  if (error instanceof ValidationError) return invalidInput(error)
  if (error instanceof NotFoundError) return notFound('This path')
  return new AppError('internal_error', 'Something went wrong on our side. Try again later.', {
    cause: error,
  })
}

/** Elysia's own text repeats the input, so the schema is asked again. */
function invalidInput({ type, value, validator }: ValidationError): AppError {
  const schema: unknown = Reflect.get(validator, 'schema') ?? validator
  if (!isSchema(schema) || (type !== 'body' && type !== 'query')) return notFound('This path')
  return inputError(schema, value, type)
}
