import { hkdfSync } from 'node:crypto'
import * as v from 'valibot'
import { acquireSignedOutSubmission } from '../../../features/form-submissions/index.ts'
import { createEncryption } from '../../../lib/secrets/encryption.ts'
import type { ConsoleRequest } from '../context.ts'
import { textOf } from './form-data.ts'

/**
 * The handler of a form that is sent without a session and accepted once: the same form sent again within
 * a minute, by a second click or after a lost response, gets the same response with the same session. The
 * response is encrypted with a key that is derived from the form, so that only who has the form can read it.
 * A form that is not accepted is tried again.
 */
export function onceSignedOut<Request extends ConsoleRequest>(
  handle: (context: Request) => Promise<Response>,
): (context: Request) => Promise<Response> {
  return async (context) => {
    if (textOf(context.values, 'submission') === '') return await handle(context)
    const { hash, encryption } = identify(context)
    const submission = await acquireSignedOutSubmission(context.deps, hash)
    if (!submission.isFirst) return responseFrom(encryption.decrypt(purpose, submission.response))
    let isKept = false
    try {
      const response = await handle(context)
      if (response.ok || response.status === 303) {
        const kept = await keptResponse(response)
        await submission.keep(encryption.encrypt(purpose, kept))
        isKept = true
        return responseFrom(kept)
      }
      return response
    } finally {
      if (!isKept) await submission.release()
    }
  }
}

const purpose = 'signed_out_submissions'

/** The hash that identifies a form, and the encryption of its response. The id of the page view is random. */
function identify({ url, values }: ConsoleRequest) {
  const { csrf, ...fields } = values
  const form = JSON.stringify([url.pathname + url.search, fields])
  const hash = Buffer.from(hkdfSync('sha256', form, '', 'hash of a form', 32))
  return { hash, encryption: createEncryption(form) }
}

const KeptResponse = v.object({
  status: v.number(),
  headers: v.array(v.tuple([v.string(), v.string()])),
  body: v.string(),
})

const keptResponse = async (response: Response): Promise<v.InferOutput<typeof KeptResponse>> => ({
  status: response.status,
  headers: [...response.headers],
  body: await response.text(),
})

/** The response that was kept. */
function responseFrom(kept: unknown): Response {
  const { status, headers, body } = v.parse(KeptResponse, kept)
  return new Response(status === 303 ? null : body, { status, headers })
}
