import * as v from 'valibot'
import { singleLineText, webAddress } from '../../src/contract/text.ts'
import { secret } from '../kit/adapter.ts'

const maxTagCharacters = 100

/** The settings of a connection; see the README beside this file. */
export const Settings = v.object({
  access_token: secret(),
  /** Completed tasks with this tag become items, besides milestones. */
  tag: v.optional(singleLineText(maxTagCharacters)),
  api_base_url: v.optional(webAddress, 'https://app.asana.com'),
  /**
   * The key of Asana's signatures. Asana sends it in its first request, unless it is set before.
   */
  webhook_secret: v.optional(secret()),
})

export type Settings = v.InferOutput<typeof Settings>
