import type { AppError } from '../../lib/errors.ts'
import { statusOf } from '../../lib/http/index.ts'
import { attribute } from '../attribute.ts'
import { bareLayout, layout } from '../components/layout/layout.tsx'
import { type ConsoleRequest, isMemberRequest } from '../http/context.ts'
import { safePath } from '../http/origin.ts'
import type { TextKey, Translate } from '../locales/index.ts'

const titles: Record<number, TextKey> = {
  403: 'error.not_allowed',
  404: 'error.not_found',
  409: 'error.not_possible_at_the_moment',
  413: 'error.too_large',
  415: 'error.unsupported_content_type',
  422: 'error.invalid_input',
  429: 'error.too_many_attempts',
  500: 'error.something_went_wrong',
  503: 'error.not_available_at_the_moment',
}

/** The addresses that people get in emails and chats, and their teams can replace. */
const linkPath = /^\/(?:archive|join|preview|receipts|reset|setup|submit)\//

const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

/** The error page: what happened and what to do next. */
export async function errorPage(
  context: ConsoleRequest,
  { code, message, details }: AppError,
  requestId: string,
): Promise<Response> {
  const { t } = context
  // 412 would be wrong: no form sends a precondition header.
  const status = code === 'version_mismatch' ? statusOf.invalid_transition : statusOf[code]
  const isDeadLink = status === 404 && linkPath.test(context.url.pathname)
  const title = isDeadLink
    ? t('error.this_link_does_not_work')
    : t(titles[status] ?? 'error.something_went_wrong')
  const isForReaders = isDeadLink && !context.signedIn
  const back = previousPath(context)
  const body = (
    <div class="error-page">
      <h1>{title}</h1>
      <p safe>{asSentence(t.fromEnglish(message))}</p>
      {isDeadLink && message.endsWith('not found') ? <p>{t('error.ask_for_a_new_link')}</p> : null}
      {status >= 500 ? (
        <p class="muted" safe>
          {t('error.the_log_contains_the_cause', { requestId })}
        </p>
      ) : null}
      {isForReaders ? null : <StartLinks t={t} back={back} />}
    </div>
  )
  // The navigation reads the database, which may be the cause of an error of the server.
  const withNavigation = isMemberRequest(context) && status < 500
  const response = withNavigation
    ? await layout(context, { title, section: null, status }, body)
    : await bareLayout(context, { title, status, isForReaders }, body)
  if (details.retryAfterSeconds) {
    response.headers.set('retry-after', String(details.retryAfterSeconds))
  }
  return response
}

function StartLinks({ t, back }: { t: Translate; back: string | null }) {
  return (
    <p class="row">
      {back ? (
        <a class="button primary" href={attribute(back)}>
          {t('error.go_back')}
        </a>
      ) : null}
      <a class="button" href="/">
        {t('error.go_to_the_start_page')}
      </a>
    </p>
  )
}

/** The page of this site that led here, or null. */
function previousPath({ request, url }: ConsoleRequest): string | null {
  const previous = URL.parse(request.headers.get('referer') ?? '')
  const isOurs =
    previous?.host === request.headers.get('host') && previous?.pathname !== url.pathname
  return previous && isOurs ? safePath(previous.pathname + previous.search) : null
}
