import * as v from 'valibot'
import type { RegistrationContext } from '../kit/adapter.ts'
import { commandTypes } from '../kit/chat/submissions.ts'
import { ProviderError } from '../kit/provider-error.ts'
import { shortHash } from '../kit/text/plain-text.ts'
import { callMattermost, isRefusedWith, type MattermostContext, requestMattermost } from './api.ts'
import { hasBot, type Settings } from './settings.ts'

type Context = RegistrationContext<Settings>

/** https://developers.mattermost.com/api-documentation/#/operations/CreateCommand */
const Command = v.object({
  id: v.string(),
  trigger: v.string(),
  url: v.nullish(v.string(), ''),
  token: v.nullish(v.string(), ''),
})
type Command = v.InferOutput<typeof Command>

const words = [...commandTypes.keys()]
const descriptions: Record<string, { auto_complete_desc: string; auto_complete_hint: string }> = {
  tidings: {
    auto_complete_desc: 'Send news for the newsletter, or ask about it',
    auto_complete_hint: `[${words.join('|')}|next|mine|status] [text]`,
  },
  ...Object.fromEntries(
    words.map((word) => [
      word,
      { auto_complete_desc: 'Save something for the newsletter', auto_complete_hint: '[text]' },
    ]),
  ),
}

/**
 * With `team_id`, the slash commands of the team, whose tokens become settings; otherwise the bot is checked, so that the
 * page of the connection says when its token does not work.
 */
export const registration = {
  fingerprint: (settings: Settings, webhookUrl: string): string | null => {
    if (!hasBot(settings)) return null
    const { server_url, access_token = [], team_id } = settings
    const bot = [server_url, access_token[0]]
    const registered = team_id === undefined ? [] : [team_id, webhookUrl, descriptions]
    return shortHash(JSON.stringify([...bot, ...registered]))
  },

  /** Throws a `ProviderError`. */
  async register(context: Context) {
    await callMattermost(context, { path: 'users/me' }, v.object({ id: v.string() }))
    const { team_id } = context.settings
    return team_id === undefined ? null : await registerCommands(context, team_id)
  },

  /** Deletes the commands of the connection. Throws a `ProviderError`. */
  async unregister(context: Context): Promise<void> {
    const { team_id } = context.settings
    if (team_id === undefined || !hasBot(context.settings)) return
    for (const { id, url } of await listCommands(context, team_id))
      if (url === context.webhookUrl)
        await requestMattermost(context, { method: 'DELETE', path: `commands/${id}` })
  },
}

/** The tokens of the commands, and which commands belong to somebody else. */
async function registerCommands(context: Context, team: string) {
  const existing = await listCommands(context, team)
  const settings: Record<string, string> = {}
  const taken: string[] = []
  for (const trigger of Object.keys(descriptions)) {
    const found = existing.filter((one) => one.trigger === trigger)
    const own = found.find(({ url }) => isOurs(url, context.webhookUrl))
    if (!own && found.length > 0) taken.push(`/${trigger}`)
    else {
      const token = await withPermission(() => tokenOf(context, { team, trigger, own }))
      settings[trigger === 'tidings' ? 'token' : `${trigger}_token`] = token
    }
  }
  return { settings, problem: taken.length > 0 ? takenText(taken) : null }
}

const takenText = (taken: readonly string[]) =>
  `These commands of the team belong to another integration: ${taken.join(', ')}. Delete them in Mattermost (Integrations, Slash Commands), then save the settings again.`

/** Whether an address is that of the connection, also when the service had another address before. */
function isOurs(url: string, webhookUrl: string): boolean {
  const [known, own] = [URL.parse(url), URL.parse(webhookUrl)]
  return known !== null && known.pathname === own?.pathname
}

/** The token of a command, which is created or updated. */
async function tokenOf(
  context: Context,
  { team, trigger, own }: { team: string; trigger: string; own: Command | undefined },
): Promise<string> {
  const body = {
    ...own,
    team_id: team,
    method: 'P',
    trigger,
    url: context.webhookUrl,
    display_name: 'Tidings',
    auto_complete: true,
    ...descriptions[trigger],
  }
  const call = own
    ? ({ method: 'PUT', path: `commands/${own.id}`, body } as const)
    : ({ method: 'POST', path: 'commands', body } as const)
  const { id, token } = await callMattermost(context, call, Command)
  if (token || own?.token) return token || (own?.token ?? '')
  const path = `commands/${id}/regen_token`
  const made = v.object({ token: v.pipe(v.string(), v.nonEmpty()) })
  return (await callMattermost(context, { method: 'PUT', path }, made)).token
}

const listCommands = (context: MattermostContext, team_id: string): Promise<Command[]> =>
  withPermission(() =>
    callMattermost(
      context,
      { path: 'commands', query: { team_id, custom_only: 'true' } },
      v.array(Command),
    ),
  )

async function withPermission<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (isRefusedWith(error, 403, 404)) throw new ProviderError('refused', needed)
    throw error
  }
}

const needed =
  'Mattermost does not let the bot create slash commands. Add the bot to the team of team_id, and give it the permission to manage slash commands (for example as team admin), or create the commands by hand and leave team_id empty.'
