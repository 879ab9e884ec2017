import * as v from 'valibot'
import { ProviderError } from '../kit/provider-error.ts'
import { shortHash } from '../kit/text/plain-text.ts'
import { callDiscord, type DiscordContext } from './api.ts'
import commands from './commands.json' with { type: 'json' }
import type { Settings } from './settings.ts'

const Application = v.object({ id: v.string() })

/** The commands of the application, which replace those that it has. */
export const registration = {
  fingerprint: ({ bot_token, application_id, public_key }: Settings): string | null =>
    bot_token
      ? shortHash(JSON.stringify([bot_token[0], application_id, public_key, commands]))
      : null,

  /**
   * Throws a `ProviderError`, also when the token belongs to another application than the settings.
   * Source: https://docs.discord.com/developers/interactions/application-commands#bulk-overwrite-global-application-commands
   */
  async register(context: DiscordContext): Promise<null> {
    const { application_id } = context.settings
    const { id } = await callDiscord(
      context,
      { method: 'GET', path: 'applications/@me' },
      Application,
    )
    if (application_id !== undefined && application_id !== id)
      throw new ProviderError(
        'refused',
        `bot_token belongs to the application ${id}, not to application_id.`,
      )
    const path = `applications/${id}/commands`
    await callDiscord(context, { method: 'PUT', path, body: commands }, v.array(v.unknown()))
    return null
  },
}
