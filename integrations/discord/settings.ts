import * as v from 'valibot'
import { webAddress } from '../../src/contract/text.ts'
import { list } from '../kit/adapter.ts'
import { newsletterWebhook } from '../kit/chat/newsletter-post.ts'

const Snowflake = v.pipe(
  v.string(),
  v.regex(/^\d{1,20}$/, 'must be an id such as 1312345678901234567, not a name'),
)

/**
 * The settings of a connection. The public key is not a secret: it only verifies that requests come
 * from Discord.
 */
export const settingsSchema = v.object({
  public_key: v.pipe(
    v.string(),
    v.toLowerCase(),
    v.regex(/^[0-9a-f]{64}$/, 'must be the public key of the application: 64 hexadecimal digits'),
  ),
  application_id: v.optional(Snowflake),
  /** Only these servers; all servers with the application when empty. */
  server_ids: v.pipe(list(), v.array(Snowflake)),
  newsletter_webhook: newsletterWebhook(),
  api_base_url: v.optional(webAddress, 'https://discord.com/api/v10/'),
})

export type Settings = v.InferOutput<typeof settingsSchema>
