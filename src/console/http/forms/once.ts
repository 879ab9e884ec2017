import { createHash } from 'node:crypto'
import {
  acquireFormSubmission,
  type FormSubmission,
  type FormSubmissionResult,
  storeFormSubmission,
} from '../../../features/form-submissions/index.ts'
import { inTransaction } from '../../../lib/context.ts'
import type { MemberRequest } from '../context.ts'
import { redirect } from '../responses.ts'
import { textOf } from './form-data.ts'

/**
 * The handler of a form that is accepted once: the same form sent again, by a second click or after a lost
 * response, changes nothing and leads to the page of the first one. The handler runs in a transaction with
 * `context.ctx`, so it must change nothing but the database. Fields with other values are another form. A
 * response that is not a redirect is not remembered, unless `showAgain` makes it again; neither is one `withoutChange`.
 */
export function once<Request extends MemberRequest>(
  handle: (context: Request) => Promise<Response>,
  showAgain?: (context: Request) => Promise<Response>,
): (context: Request) => Promise<Response> {
  return async (context) => {
    const submission = submissionOf(context)
    if (!submission) return await handle(context)
    return await inTransaction(context.ctx, async (ctx) => {
      const earlier = await acquireFormSubmission(ctx, submission)
      if (earlier?.location) return redirect(context, earlier.location, earlier)
      if (earlier && showAgain) return await showAgain({ ...context, ctx })
      const response = await handle({ ...context, ctx })
      const result = resultOf(response)
      const isWorthKeeping = result.location !== null || showAgain !== undefined
      if (isWorthKeeping && !unchanged.has(response))
        await storeFormSubmission(ctx, { ...submission, result })
      return response
    })
  }
}

const unchanged = new WeakSet<Response>()

/** Marks a response that says why nothing was changed: the same form sent again is tried again. */
export function withoutChange(response: Response): Response {
  unchanged.add(response)
  return response
}

/** What identifies a form that was sent; null without the field that `Form` adds, as in a script. */
function submissionOf(context: MemberRequest): FormSubmission | null {
  const { signedIn, member, memberships, url, values, files } = context
  if (textOf(values, 'submission') === '') return null
  const { csrf, ...fields } = values
  const hash = createHash('sha256')
  hash.update(JSON.stringify([url.pathname + url.search, fields]))
  for (const [name, bytes] of Object.entries(files)) hash.update(`\n${name}\n`).update(bytes)
  const person = { accountId: signedIn.account.id, memberId: member.id, memberships }
  return { ...person, hash: hash.digest() }
}

/** The page to which a response leads; without a location when it is not a redirect. */
function resultOf({ headers }: Response): FormSubmissionResult {
  const location = headers.get('location') ?? headers.get('hx-redirect')
  return { location, cookies: headers.getSetCookie() }
}
