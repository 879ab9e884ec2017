import { AppError } from '../errors.ts'
import { problemOf, setErrorHeaders } from './problem.ts'
import type { ErrorContext } from './route-group.ts'

/** The error for a method that a path does not have; `methods` are those that it has. */
export function methodNotAllowed(methods: readonly string[]): AppError {
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return new AppError('method_not_allowed', `This path allows ${allow.join(', ')}.`, {
    headers: { allow: allow.join(', ') },
  })
}

/** Finds the methods of a path among routes, whose parameters match any text between slashes. */
export function methodsIn(routes: readonly { method: string; path: string }[]) {
  const patterns = routes.map(({ method, path }) => ({ method, pattern: patternOf(path) }))
  return (path: string): string[] =>
    patterns.flatMap(({ method, pattern }) => (pattern.test(path) ? [method] : []))
}

const patternOf = (path: string) =>
  new RegExp(`^${path.replace(/\/$/, '').replaceAll(/:\w+/g, '[^/]+')}/?$`)

/** Replies to any other method of a path outside all route groups that only GET reads, such as `/healthz`. */
export function replyGetOnly({ set }: Pick<ErrorContext, 'set'>) {
  const error = methodNotAllowed(['GET'])
  const id = Bun.randomUUIDv7()
  setErrorHeaders(error, set)
  set.headers['x-request-id'] = id
  return problemOf(error, id)
}
