import { requireNewsletter } from '../../../features/newsletters/index.ts'
import { undoOnError } from '../../../lib/database/db.ts'
import { AppError, type ErrorCode } from '../../../lib/errors.ts'
import { formatTimestamps } from '../../components/dates/date-time.tsx'
import type { MemberRequest } from '../../http/context.ts'
import { withoutChange } from '../../http/forms/once.ts'
import { failure, redirect, success } from '../../http/responses.ts'
import type { UserLocale } from '../../http/user-locale.ts'
import type { Translate } from '../../locales/index.ts'

/** Errors that are shown on the page of the form instead of an error page. */
const expectedErrors: readonly ErrorCode[] = [
  ...(['version_mismatch', 'block_in_use', 'newsletter_sent', 'invalid_transition'] as const),
  ...(['embargoed', 'validation_failed', 'preview_limit_reached', 'not_found'] as const),
]

/** Runs `work` and redirects to a page of the newsletter with its message, or with the error message. */
export async function redirectWithResult(
  context: MemberRequest,
  back: string,
  work: () => Promise<{ text: string; path?: string }>,
): Promise<Response> {
  const { t } = context
  try {
    const { text, path = back } = await undoOnError(context.ctx.sql, work)
    return redirect(context, path, success(text))
  } catch (error) {
    if (!(error instanceof AppError) || !expectedErrors.includes(error.code)) throw error
    // A missing block is a message; a missing newsletter has no page to show it.
    await requireNewsletter(context.ctx, context.params['id'] ?? '')
    const text = errorText(t, context.userLocale, error)
    return withoutChange(redirect(context, back, failure(text)))
  }
}

// The message is stored in a cookie.
const maxErrorCharacters = 500

function errorText(t: Translate, userLocale: UserLocale, { code, message }: AppError): string {
  if (code === 'version_mismatch') {
    return t('newsletters.someone_else_changed_this_newsletter')
  }
  const words = formatTimestamps(
    userLocale,
    t.fromEnglish(message).replaceAll(/\b([a-z]+)_([a-z]+)\b/g, '$1 $2'),
  )
  const sentence = `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`
  return sentence.length > maxErrorCharacters
    ? `${sentence.slice(0, maxErrorCharacters)}…`
    : sentence
}
