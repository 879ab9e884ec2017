import * as v from 'valibot'
import { webAddress } from '../../src/contract/text.ts'
import { secret } from '../kit/adapter.ts'

/** The settings of a connection; see the README beside this file. */
export const Settings = v.object({
  private_key: secret(),
  /** `acme` of acme.bamboohr.com. */
  company_domain: v.pipe(
    v.string(),
    v.trim(),
    v.toLowerCase(),
    v.regex(
      /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
      'must be the first part of your address alone, such as acme of acme.bamboohr.com',
    ),
  ),
  api_key: secret(),
  api_base_url: v.optional(webAddress),
  /** A field in BambooHR that marks people who must not be announced. */
  hold_field: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^[A-Za-z][\w.-]{0,99}$/,
        'must be the API name of a field, such as customQuietStart',
      ),
    ),
  ),
})

export type Settings = v.InferOutput<typeof Settings>
