import type { Adapter } from '../../integrations/adapter.ts'
import { loadAdapters } from '../../integrations/index.ts'
import {
  type Connection,
  createConnection,
  hookUrl,
  listConnections,
  removeConnection,
} from '../features/connections/index.ts'
import { getTeamBySlug } from '../features/teams/index.ts'
import { invalidField } from '../lib/errors.ts'
import { type CliContext, type Command, table, teamOption as team } from './command.ts'

const create: Command = {
  noun: 'connection',
  verb: 'create',
  summary: 'Connect a provider; prints the address to give to it',
  options: {
    team,
    adapter: { type: 'string', required: true, describe: 'slug of the integration' },
    set: { type: 'strings', describe: 'a setting as name=value; repeat for more' },
  },
  async run(context, values) {
    const { id: teamId } = await getTeamBySlug(context.sql, values.text('team'))
    const adapter = await adapterCalled(values.text('adapter'))
    const settings = settingsFrom(values.texts('set'))
    const made = await createConnection(context, teamId, adapter, settings)
    const shown = shownOf(context, adapter, made)
    const setup = shown.setup === null ? '' : `\n\nPaste this at ${adapter.name}:\n${shown.setup}`
    return { text: `Give this address to ${adapter.name}:\n${shown.url}${setup}`, json: shown }
  },
}

const list: Command = {
  noun: 'connection',
  verb: 'list',
  summary: "List a team's connections",
  options: { team },
  async run(context, values) {
    const { id: teamId } = await getTeamBySlug(context.sql, values.text('team'))
    const adapters = await loadAdapters()
    const connections = (await listConnections(context, teamId)).map((connection) => ({
      ...shownOf(context, adapters.get(connection.adapter), connection),
      settings: connection.settings,
      unknown_events: connection.unknownEvents,
    }))
    const rows = connections.map(({ id, adapter, url, key_start }) => [
      id,
      adapter,
      `${key_start}…`,
      url,
    ])
    return { text: table(['ID', 'ADAPTER', 'KEY', 'ADDRESS'], rows), json: connections }
  },
}

const remove: Command = {
  noun: 'connection',
  verb: 'remove',
  summary: 'Disconnect a provider, forget its secrets and revoke its key',
  options: { team, id: { type: 'string', required: true, describe: 'id of the connection' } },
  async run({ sql, now }, values) {
    const { id: teamId } = await getTeamBySlug(sql, values.text('team'))
    const id = values.text('id')
    await removeConnection({ sql, now }, teamId, id)
    return { text: `Removed ${id}.`, json: { id } }
  },
}

async function adapterCalled(slug: string): Promise<Adapter> {
  const adapters = await loadAdapters()
  const adapter = adapters.get(slug)
  if (adapter) return adapter
  const known = [...adapters.keys()].join(', ')
  throw invalidField('/adapter', `there is no adapter "${slug}"; there are ${known}`)
}

/** Settings from `name=value` pairs; a name that is given twice has both values, as in a rotation. */
function settingsFrom(pairs: readonly string[]): Record<string, string | string[]> {
  const settings: Record<string, string | string[]> = {}
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1) throw invalidField('/set', `--set takes name=value, and "${pair}" has no name`)
    const name = pair.slice(0, at)
    const value = pair.slice(at + 1)
    const earlier = settings[name]
    settings[name] = earlier === undefined ? value : [earlier, value].flat()
  }
  return settings
}

function shownOf({ config }: CliContext, adapter: Adapter | undefined, connection: Connection) {
  const url = hookUrl(config.baseUrl, connection.adapter, connection.hookId)
  return {
    id: connection.id,
    adapter: connection.adapter,
    url,
    key_start: connection.keyStart,
    setup: adapter?.setup?.({ hook: url, base: config.baseUrl }) ?? null,
    created_at: connection.createdAt,
  }
}

export const connectionCommands = [create, list, remove]
