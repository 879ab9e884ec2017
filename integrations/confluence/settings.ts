import * as v from 'valibot'
import { webAddress } from '../../src/contract/text.ts'
import { list, secret } from '../kit/adapter.ts'

/** The settings of a connection; see the README beside this file. */
export const Settings = v.object({
  /** The address of Confluence, with its path: `https://wiki.example.com/confluence`. */
  base_url: webAddress,
  /** A personal access token, to read blog posts. */
  access_token: secret(),
  /** The key of the signatures of the webhook. */
  secret: secret({ own: true }),
  /** Only blog posts of these spaces, by key; all when empty. */
  spaces: list(),
})

export type Settings = v.InferOutput<typeof Settings>
