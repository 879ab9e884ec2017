import type { Adapter } from '../../integrations/adapter.ts'
import { loadAdapters } from '../../integrations/index.ts'
import { type AuditAction, recordAudit } from '../features/audit/index.ts'
import {
  type Connection,
  changeSettings,
  createConnection,
  getConnection,
  hookUrl,
  listConnections,
  removeConnection,
  revealUnshown,
} from '../features/connections/index.ts'
import { getTeamBySlug } from '../features/teams/index.ts'
import { adapterCalled } from './adapters.ts'
import {
  type CliContext,
  type Command,
  commandLine,
  type Option,
  settingsFrom,
  table,
  teamOption as team,
} from './command.ts'

const idOption = {
  type: 'string',
  required: true,
  describe: 'id of the connection',
} as const satisfies Option

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
    await note(context, teamId, 'connection_created', made)
    const shown = shownOf(context, adapter, made)
    const text = `Give this address to ${adapter.name}:\n${shown.url}${setupText(adapter, shown)}`
    return { text, json: shown }
  },
}

const set: Command = {
  noun: 'connection',
  verb: 'set',
  summary: 'Change settings of a connection, secrets included; an empty value takes one away',
  options: {
    team,
    id: idOption,
    set: { type: 'strings', required: true, describe: 'a setting as name=value; repeat for more' },
  },
  async run(context, values) {
    const { id: teamId } = await getTeamBySlug(context.sql, values.text('team'))
    const id = values.text('id')
    const connection = await getConnection(context, teamId, id)
    const adapter = await adapterCalled(connection.adapter)
    const settings = settingsFrom(values.texts('set'))
    await changeSettings(context, teamId, adapter, id, settings)
    await note(context, teamId, 'connection_changed', connection)
    const names = Object.keys(settings)
    return { text: `Changed ${names.join(', ')} of ${id}.`, json: { id, changed: names } }
  },
}

const show: Command = {
  noun: 'connection',
  verb: 'show',
  summary: 'Show a connection; a secret that the provider told of itself is shown this once',
  options: { team, id: idOption },
  async run(context, values) {
    const { id: teamId } = await getTeamBySlug(context.sql, values.text('team'))
    const id = values.text('id')
    const connection = await getConnection(context, teamId, id)
    const adapter = (await loadAdapters()).get(connection.adapter)
    const learned = await revealUnshown(context, teamId, id)
    if (Object.keys(learned).length > 0) {
      await note(context, teamId, 'connection_secret_shown', connection)
    }
    const shown = { ...detailsOf(context, adapter, connection), learned }
    const told = Object.entries(learned).map(
      ([name, value]) => `${name}: ${[value].flat().join(', ')} (shown this once)`,
    )
    const lines = [
      `${adapter?.name ?? connection.adapter} ${id}`,
      `address: ${shown.url}`,
      `key: ${shown.key_start}…`,
      ...Object.entries(shown.settings).map(([name, value]) => `${name}: ${settingText(value)}`),
      ...shown.secrets.map((name) => `${name}: set, and kept secret`),
      ...told,
      `events of unknown kinds: ${shown.unknown_events}`,
    ]
    return { text: lines.join('\n') + setupText(adapter, shown), json: shown }
  },
}

const settingText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const list: Command = {
  noun: 'connection',
  verb: 'list',
  summary: "List a team's connections",
  options: { team },
  async run(context, values) {
    const { id: teamId } = await getTeamBySlug(context.sql, values.text('team'))
    const adapters = await loadAdapters()
    const connections = (await listConnections(context, teamId)).map((connection) =>
      detailsOf(context, adapters.get(connection.adapter), connection),
    )
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
  options: { team, id: idOption },
  async run(context, values) {
    const { id: teamId } = await getTeamBySlug(context.sql, values.text('team'))
    const id = values.text('id')
    const connection = await getConnection(context, teamId, id)
    await removeConnection(context, teamId, id)
    await note(context, teamId, 'connection_removed', connection)
    return { text: `Removed ${id}.`, json: { id } }
  },
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

const detailsOf = (context: CliContext, adapter: Adapter | undefined, connection: Connection) => ({
  ...shownOf(context, adapter, connection),
  settings: connection.settings,
  secrets: connection.secrets,
  unknown_events: connection.unknownEvents,
})

function setupText(adapter: Adapter | undefined, { setup }: { setup: string | null }): string {
  return setup === null ? '' : `\n\nPaste this at ${adapter?.name}:\n${setup}`
}

const note = (
  { sql, now }: CliContext,
  teamId: string,
  action: AuditAction,
  { adapter, id }: Connection,
) => recordAudit(sql, now, commandLine(teamId), action, `${adapter} ${id}`)

export const connectionCommands = [create, set, show, list, remove]
