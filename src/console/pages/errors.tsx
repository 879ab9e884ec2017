import type { AppError } from '../../lib/errors.ts'
import { statusOf } from '../../lib/http/index.ts'
import { attribute } from '../attribute.ts'
import { bareLayout, layout } from '../components/layout/layout.tsx'
import { type ConsoleRequest, isMemberRequest } from '../http/context.ts'
import { safePath } from '../http/origin.ts'

const titles: Record<number, string> = {
  403: 'Not allowed',
  404: 'Not found',
  409: 'Not possible at the moment',
  413: 'Too large',
  415: 'Unsupported content type',
  422: 'Invalid input',
  429: 'Too many attempts',
  500: 'Something went wrong',
  503: 'Not available at the moment',
}

/** The error page: what happened and what to do next. */
export async function errorPage(
  context: ConsoleRequest,
  { code, message, details }: AppError,
  requestId: string,
): Promise<Response> {
  // 412 would be wrong: no form sends a precondition header.
  const status = code === 'version_mismatch' ? statusOf.invalid_transition : statusOf[code]
  const title = titles[status] ?? 'Something went wrong'
  const back = previousPath(context)
  const body = (
    <div class="error-page">
      <h1 safe>{title}</h1>
      <p safe>{message}</p>
      {status >= 500 ? (
        <p
          class="muted"
          safe
        >{`The log contains the cause. Give the operator this request id: ${requestId}`}</p>
      ) : null}
      <p class="row">
        {back ? (
          <a class="button primary" href={attribute(back)}>
            Go back
          </a>
        ) : null}
        <a class="button" href="/">
          Go to the start page
        </a>
      </p>
    </div>
  )
  const response = isMemberRequest(context)
    ? await layout(context, { title, section: null, status }, body)
    : await bareLayout(context, { title, status }, body)
  if (details.retryAfterSeconds) {
    response.headers.set('retry-after', String(details.retryAfterSeconds))
  }
  return response
}

/** The page of this site that led here, or null. */
function previousPath({ request, url }: ConsoleRequest): string | null {
  const previous = URL.parse(request.headers.get('referer') ?? '')
  const isOurs =
    previous?.host === request.headers.get('host') && previous?.pathname !== url.pathname
  return previous && isOurs ? safePath(previous.pathname + previous.search) : null
}
