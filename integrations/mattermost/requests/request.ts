import * as v from 'valibot'
import { readObject } from '../../kit/requests/webhook-request.ts'
import { providerText } from '../../kit/text/plain-text.ts'

// The fields of Mattermost's requests that are read. The token, the trigger and the response
// address are not part of the stored event.

const words = v.nullish(providerText, '')
const id = v.fallback(v.pipe(v.string(), v.regex(/^[a-z0-9]{26}$/)), '')
const ids = v.fallback(v.array(v.pipe(v.string(), v.regex(/^[a-z0-9]{26}$/))), [])

/** https://developers.mattermost.com/integrate/slash-commands/custom */
export const SlashCommand = v.object({
  command: v.pipe(v.string(), v.regex(/^\/\S{1,128}$/)),
  text: words,
  user_id: id,
  user_name: words,
  trigger_id: words,
  response_url: words,
  /** The people whom the text mentions. */
  user_mentions_ids: ids,
})
export type SlashCommand = v.InferOutput<typeof SlashCommand>

/** https://developers.mattermost.com/integrate/webhooks/outgoing */
export const Post = v.object({
  post_id: v.pipe(v.string(), v.regex(/^\w{1,64}$/)),
  text: words,
  trigger_word: words,
  user_id: id,
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

const requiredId = v.pipe(v.string(), v.regex(/^[a-z0-9]{26}$/))

/** Somebody used a button: https://developers.mattermost.com/integrate/plugins/interactive-messages */
export const ButtonClick = v.object({
  user_id: requiredId,
  user_name: words,
  channel_id: requiredId,
  post_id: requiredId,
  trigger_id: v.pipe(v.string(), v.maxLength(1_000)),
  context: v.object({
    name: v.string(),
    value: v.string(),
    message: v.string(),
    signature: v.string(),
  }),
})
export type ButtonClick = v.InferOutput<typeof ButtonClick>

/** A submitted form: https://developers.mattermost.com/integrate/plugins/interactive-dialogs */
export const Submission = v.object({
  type: v.literal('dialog_submission'),
  state: v.string(),
  user_id: requiredId,
  submission: v.nullish(v.record(v.string(), v.unknown()), {}),
  cancelled: v.nullish(v.boolean(), false),
})
export type Submission = v.InferOutput<typeof Submission>

/** The fields of a request, which is a form or JSON, as the admin chose. */
export function readFields(contentType: string | null, text: string): object | undefined {
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  if (type === 'application/json') return readObject(text)
  if (type !== 'application/x-www-form-urlencoded') return undefined
  const form = new URLSearchParams(text)
  return { ...Object.fromEntries(form), user_mentions_ids: form.getAll('user_mentions_ids') }
}
