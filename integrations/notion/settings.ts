import * as v from 'valibot'
import { webAddress } from '../../src/contract/text.ts'
import { secret } from '../kit/adapter.ts'
import { NotionId } from './event.ts'

const Text = v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'), v.maxLength(200))

/** The settings of a connection; see the README beside this file. */
export const Settings = v.object({
  api_token: secret(),
  /** The property and its value that mark a page for the newsletter. */
  property: Text,
  value: Text,
  /** Only pages of this database or data source. */
  database_id: v.optional(NotionId),
  api_base_url: v.optional(webAddress, 'https://api.notion.com'),
  /**
   * The key of Notion's signatures. Notion sends it in its first request, unless it is set before.
   */
  verification_token: v.optional(secret()),
})

export type Settings = v.InferOutput<typeof Settings>
