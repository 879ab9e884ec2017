import * as v from 'valibot'
import { webAddress } from '../../src/contract/text.ts'
import { secret } from '../kit/adapter.ts'

/** A workspace (`T…`) or a whole Enterprise organisation (`E…`). */
export const WorkspaceId = v.pipe(
  v.string(),
  v.regex(/^[TE][A-Z0-9]{1,40}$/, 'must be a workspace id such as T0123ABCD, not its name'),
)

export const AppId = v.pipe(
  v.string(),
  v.regex(/^A[A-Z0-9]{1,40}$/, 'must be an app id such as A0123ABCD'),
)

/** What an admin sets on a connection; the two ids are pinned by the first request when left out. */
export const settingsSchema = v.object({
  signing_secret: secret(),
  bot_token: secret(),
  workspace_id: v.optional(WorkspaceId),
  app_id: v.optional(AppId),
  api_base_url: v.optional(webAddress, 'https://slack.com/api/'),
})

export type Settings = v.InferOutput<typeof settingsSchema>
