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
  405: 'error.not_allowed',
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
  error: AppError,
  requestId: string,
): Promise<Response> {
  const { code, message, details } = error
  const { t } = context
  // 412 would be wrong: no form sends a precondition header.
  const status = code === 'version_mismatch' ? statusOf.invalid_transition : statusOf[code]
  const isDeadLink = status === 404 && linkPath.test(context.url.pathname)
  const title = isDeadLink
    ? t('error.this_link_does_not_work')
    : t(titles[status] ?? 'error.something_went_wrong')
  const isForReaders = isDeadLink && !context.signedIn
  const body = (
    <div class="error-page">
      <h1>{title}</h1>
      {status === 500 ? null : <p safe>{asSentence(messageFor(context, error))}</p>}
      {isDeadLink && message.endsWith('not found') ? <p>{t('error.ask_for_a_new_link')}</p> : null}
      {status >= 500 ? (
        <p class="muted" safe>
          {t('error.the_log_contains_the_cause', { requestId })}
        </p>
      ) : null}
      <NextSteps t={t} steps={nextSteps(context, { status, isForReaders })} />
    </div>
  )
  // The navigation reads the database, which may be the cause of an error of the server.
  const withNavigation = isMemberRequest(context) && status < 500
  const response = withNavigation
    ? await layout(context, { title, section: null, status }, body)
    : await bareLayout(context, { title, status, isForReaders }, body)
  addHeaders(response, details)
  return response
}

/** Adds the headers that the code of an error promises. */
function addHeaders({ headers }: Response, details: AppError['details']): void {
  for (const [name, value] of Object.entries(details.headers ?? {})) headers.set(name, value)
  if (details.retryAfterSeconds) headers.set('retry-after', String(details.retryAfterSeconds))
}

/** What happened, in the language of the person. The messages about the database are for programs. */
function messageFor({ t, request }: ConsoleRequest, { code, message }: AppError): string {
  if (code !== 'database_unavailable') return t.fromEnglish(message)
  if (request.method === 'GET') return t('error.the_database_does_not_answer')
  return message.includes('Nothing was stored')
    ? t('error.nothing_was_saved')
    : t('error.it_may_have_been_saved')
}

interface NextStep {
  label: TextKey
  path: string
}

function NextSteps({ t, steps }: { t: Translate; steps: readonly NextStep[] }) {
  if (steps.length === 0) return ''
  return (
    <p class="row">
      {steps.map(({ label, path }, at) => (
        <a class={at === 0 && path !== '/' ? 'button primary' : 'button'} href={attribute(path)}>
          {t(label)}
        </a>
      ))}
    </p>
  )
}

/** Where a person can go from an error page, the most useful first; nowhere with a link that does not work. */
function nextSteps(
  context: ConsoleRequest,
  { status, isForReaders }: { status: number; isForReaders: boolean },
): NextStep[] {
  const { request, url } = context
  if (isForReaders) {
    const isReset = url.pathname.startsWith('/reset/')
    return isReset ? [{ label: 'error.request_a_new_link', path: '/forgot' }] : []
  }
  const back = previousPath(context)
  const again = safePath(url.pathname + url.search)
  return [
    ...(status >= 500 && request.method === 'GET'
      ? [{ label: 'error.try_again', path: again } as const]
      : []),
    ...(back === null ? [] : [{ label: 'error.go_back', path: back } as const]),
    { label: 'error.go_to_the_start_page', path: '/' },
  ]
}

/** The page of this site that led here, or null. */
function previousPath({ request, url }: ConsoleRequest): string | null {
  const previous = URL.parse(request.headers.get('referer') ?? '')
  const isOurs =
    previous?.host === request.headers.get('host') && previous?.pathname !== url.pathname
  return previous && isOurs ? safePath(previous.pathname + previous.search) : null
}
