import type { Client } from '../../features/sessions/index.ts'
import type { ConsoleRequest } from './context.ts'

/** The client of a request: address, cookies and user agent (at most 300 characters). */
export function clientOf({ request, address }: ConsoleRequest): Client {
  return {
    address,
    cookie: request.headers.get('cookie') ?? '',
    userAgent: (request.headers.get('user-agent') ?? '').slice(0, 300),
  }
}
