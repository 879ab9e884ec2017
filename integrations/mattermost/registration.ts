import * as v from 'valibot'
import { shortHash } from '../kit/text.ts'
import { callMattermost, type MattermostContext } from './api.ts'
import { hasBot, type Settings } from './settings.ts'

/** Checks the bot once and after each change, so that the page of the connection says when its token does not work. */
export const registration = {
  fingerprint: (settings: Settings): string | null =>
    hasBot(settings)
      ? shortHash(JSON.stringify([settings.server_url, settings.access_token?.[0]]))
      : null,

  /** Throws a `ProviderError`. */
  async register(context: MattermostContext): Promise<void> {
    await callMattermost(context, { path: 'users/me' }, v.object({ id: v.string() }))
  },
}
