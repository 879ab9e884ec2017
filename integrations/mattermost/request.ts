import * as v from 'valibot'
import { providerText } from '../kit/text.ts'
import { readObject } from '../kit/webhook-request.ts'

// The fields of Mattermost's requests that are read. The token, the trigger and the response
// address are not part of the stored event.

const words = v.nullish(providerText, '')

/** https://developers.mattermost.com/integrate/slash-commands/custom */
export const SlashCommand = v.object({
  command: v.pipe(v.string(), v.regex(/^\/\S{1,128}$/)),
  text: words,
  user_name: words,
  trigger_id: words,
  response_url: words,
})
export type SlashCommand = v.InferOutput<typeof SlashCommand>

/** https://developers.mattermost.com/integrate/webhooks/outgoing */
export const Post = v.object({
  post_id: v.pipe(v.string(), v.regex(/^\w{1,64}$/)),
  text: words,
  trigger_word: words,
  user_name: words,
  /** Ids, separated by commas in a form. */
  file_ids: v.fallback(
    v.pipe(
      v.union([v.string(), v.array(v.string())]),
      v.transform((ids) =>
        [ids].flat().flatMap((id) => id.split(',').filter((one) => /^\w{1,64}$/.test(one))),
      ),
    ),
    [],
  ),
})
export type Post = v.InferOutput<typeof Post>

/** The fields of a request, which is a form or JSON, as the admin chose. */
export function readFields(contentType: string | null, text: string): object | undefined {
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  if (type === 'application/json') return readObject(text)
  if (type !== 'application/x-www-form-urlencoded') return undefined
  return Object.fromEntries(new URLSearchParams(text))
}
