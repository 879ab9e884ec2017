import { ElysiaCustomStatusResponse, status } from 'elysia'
import { apiRequestOf } from './authentication.ts'
import { unknownParameters } from './input.ts'

/**
 * The response of a route without parameters, with a warning for each parameter that was sent; undefined
 * leaves the response as it is. Routes with parameters report the unknown ones themselves.
 */
export function withParameterWarnings(request: Request, response: unknown): unknown {
  if (apiRequestOf(request).areParametersChecked) return undefined
  const unknown = unknownParameters(request, { entries: {} })
  if (unknown.length === 0) return undefined
  if (response instanceof ElysiaCustomStatusResponse) {
    const body = withWarnings(response.response, unknown)
    return body && status(response.code, body)
  }
  return withWarnings(response, unknown)
}

function withWarnings(body: unknown, warnings: readonly string[]): object | undefined {
  if (typeof body !== 'object' || body === null || body instanceof Response) return undefined
  const earlier = 'warnings' in body && Array.isArray(body.warnings) ? body.warnings : []
  return { ...body, warnings: [...warnings, ...earlier] }
}
