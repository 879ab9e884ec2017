import type { AppError, ErrorCode } from '../../lib/errors.ts'
import { bareLayout, layout } from '../components/screen.tsx'
import type { ConsoleRequest, MemberRequest } from '../page.ts'

const statuses: Partial<Record<ErrorCode, number>> = {
  insufficient_scope: 403,
  not_found: 404,
  invalid_transition: 409,
  block_in_use: 409,
  newsletter_sent: 409,
  embargoed: 409,
  version_mismatch: 409,
  too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  rate_limited: 429,
  ai_limit_reached: 429,
  preview_limit_reached: 429,
  ai_unavailable: 503,
  mail_unavailable: 503,
  database_unavailable: 503,
}

const titles: Record<number, string> = {
  403: 'Not allowed',
  404: 'Not found',
  409: 'Not possible at the moment',
  413: 'Too large',
  415: 'Not understood',
  422: 'Not quite right',
  429: 'Too many attempts',
  500: 'Something went wrong',
  503: 'Not available at the moment',
}

/** The page for what went wrong: what happened, and the way on. */
export async function errorPage(
  arrival: ConsoleRequest,
  { code, message, details }: AppError,
  requestId: string,
): Promise<Response> {
  const status = statuses[code] ?? 500
  const title = titles[status] ?? 'Something went wrong'
  const body = (
    <div class="failure">
      <h1 safe>{title}</h1>
      <p safe>{message}</p>
      {status >= 500 ? (
        <p
          class="quiet"
          safe
        >{`Tell the operator this number, the log has the cause: ${requestId}`}</p>
      ) : null}
      <p>
        <a class="button" href="/">
          Go to the start
        </a>
      </p>
    </div>
  )
  const response = isVisit(arrival)
    ? await layout(arrival, { title, section: null, status }, body)
    : await bareLayout(arrival, { title, status }, body)
  if (details.retryAfterSeconds) {
    response.headers.set('retry-after', String(details.retryAfterSeconds))
  }
  return response
}

const isVisit = (arrival: ConsoleRequest): arrival is MemberRequest => 'member' in arrival
