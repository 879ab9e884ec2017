import { requireNewsletter } from '../../../features/newsletters/index.ts'
import { AppError, type ErrorCode } from '../../../lib/errors.ts'
import type { MemberRequest } from '../../http/context.ts'
import { failure, redirect, success } from '../../http/responses.ts'
import { plainTimes } from './words.ts'

/** What belongs on the page the form is on, and not on a page of its own. */
const told: readonly ErrorCode[] = [
  ...(['version_mismatch', 'block_in_use', 'newsletter_sent', 'invalid_transition'] as const),
  ...(['embargoed', 'validation_failed', 'preview_limit_reached', 'not_found'] as const),
]

/** Goes back to a newsletter's page with what `work` says; or with why it was refused, in plain words. */
export async function redirectWithResult(
  context: MemberRequest,
  back: string,
  work: () => Promise<{ text: string; path?: string }>,
): Promise<Response> {
  try {
    const { text, path = back } = await work()
    return redirect(context, path, success(text))
  } catch (error) {
    if (!(error instanceof AppError) || !told.includes(error.code)) throw error
    // A block that is gone is told there; a newsletter that is gone has no page.
    await requireNewsletter(context.deps.sql, context.teamId, context.params['id'] ?? '')
    return redirect(context, back, failure(refusalWords(error)))
  }
}

// A sentence for the next page travels in a cookie.
const longestRefusal = 500

function refusalWords({ code, message }: AppError): string {
  if (code === 'version_mismatch') {
    return 'Someone else changed this newsletter. The page shows its current state; repeat your change if you still want it.'
  }
  const words = plainTimes(message.replaceAll(/\b([a-z]+)_([a-z]+)\b/g, '$1 $2'))
  const sentence = `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`
  return sentence.length > longestRefusal ? `${sentence.slice(0, longestRefusal)}…` : sentence
}
