import type { Client } from '../../features/sessions/index.ts'
import type { ConsoleRequest } from './context.ts'

/** The request as accounts see it. */
export function clientOf({ request, address }: ConsoleRequest): Client {
  return {
    address,
    cookie: request.headers.get('cookie') ?? '',
    userAgent: (request.headers.get('user-agent') ?? '').slice(0, 300),
  }
}
