import { undoOnError } from '../../../lib/database/db.ts'
import { AppError } from '../../../lib/errors.ts'
import type { MemberRequest } from '../../http/context.ts'
import { withoutChange } from '../../http/forms/once.ts'
import { failure, redirect, success } from '../../http/responses.ts'

/** Restores a version and redirects; when it cannot be restored now, back to the history with the reason. */
export async function redirectRestored(
  context: MemberRequest,
  back: string,
  restore: () => Promise<{ path: string; text: string }>,
): Promise<Response> {
  try {
    const { path, text } = await undoOnError(context.ctx.sql, restore)
    return redirect(context, path, success(text))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'newsletter_sent') {
      return withoutChange(redirect(context, back, failure(context.t('history.was_sent'))))
    }
    if (error.code !== 'version_mismatch') throw error
    return withoutChange(redirect(context, back, failure(context.t('history.changed_meanwhile'))))
  }
}
