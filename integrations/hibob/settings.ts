import * as v from 'valibot'
import { webAddress } from '../../src/contract/text.ts'
import { secret } from '../kit/adapter.ts'

/** The settings of a connection; see the README beside this file. */
export const Settings = v.object({
  // A colon ends the name of a user in basic authentication.
  service_user_id: v.pipe(
    v.string(),
    v.trim(),
    v.regex(
      /^[\x21-\x39\x3b-\x7e]{1,255}$/,
      'must be the ID of a service user, such as SERVICE-4711',
    ),
  ),
  service_user_token: secret(),
  /** The key of the signatures. It is optional, because HiBob shows it after it has called the address. */
  secret: v.optional(secret()),
  api_base_url: v.optional(webAddress),
})

export type Settings = v.InferOutput<typeof Settings>
