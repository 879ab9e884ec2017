import { Command } from '@commander-js/extra-typings'
import { loadAdapters } from '../../../integrations/index.ts'
import type { Adapter } from '../../../integrations/kit/adapter.ts'
import {
  createConnection,
  deleteConnection,
  generateSecrets,
  getConnection,
  getConnectionHealth,
  listConnections,
  listHealthByConnection,
  revealSecretsOnce,
  rotateConnectionKey,
  updateConnection,
} from '../../features/connections/index.ts'
import { requireAdapter } from '../adapters.ts'
import {
  type CliRuntime,
  collect,
  databaseAction,
  formatTable,
  newTeamCommand,
  settingsFrom,
  teamContext,
} from '../command.ts'
import {
  connectionLines,
  connectionSummary,
  detailsOf,
  nextStepText,
  setupText,
  unreadable,
} from './output.ts'
import { addRouteCommand, listRoutesCommand, removeRouteCommand } from './routes.ts'

/** `tidings connection …` */
export const connectionCommand = (runtime: CliRuntime) =>
  new Command('connection')
    .description('Connect providers to a team, and change or remove connections')
    .addCommand(create(runtime))
    .addCommand(set(runtime))
    .addCommand(show(runtime))
    .addCommand(list(runtime))
    .addCommand(remove(runtime))
    .addCommand(rotateKey(runtime))
    .addCommand(addRouteCommand(runtime))
    .addCommand(listRoutesCommand(runtime))
    .addCommand(removeRouteCommand(runtime))

const newConnectionCommand = (name: string) =>
  newTeamCommand(name).requiredOption('--id <id>', 'id of the connection')

const create = (runtime: CliRuntime) =>
  newTeamCommand('create')
    .description('Connect a provider; prints the address to enter at the provider')
    .requiredOption('--adapter <slug>', 'slug of the integration; see `tidings adapter list`')
    .option('--set <name=value>', 'a setting; repeat for more', collect)
    .option('--label <text>', 'a name that distinguishes it from other connections')
    .action(
      databaseAction(runtime, async (context, options) => {
        const ctx = await teamContext(context, options.team)
        const adapter = await requireAdapter(options.adapter)
        const given = settingsFrom(options.set)
        const generated = generateSecrets(adapter, given)
        const connection = await createConnection(ctx, {
          adapter,
          given: { ...given, ...generated },
          ...(options.label !== undefined && { label: options.label }),
        })
        const summary = { ...connectionSummary(context, adapter, connection), generated }
        const secrets = Object.entries(generated).map(
          ([name, value]) => `\n${name} (shown only once): ${value}`,
        )
        const usesSocket = adapter.socket !== undefined && adapter.socket.setting in given
        const setup = usesSocket ? '' : setupText(adapter, summary)
        const text = nextStepText(adapter, summary, usesSocket) + secrets.join('') + setup
        return { text, json: summary }
      }),
    )

const set = (runtime: CliRuntime) =>
  newConnectionCommand('set')
    .description('Change settings of a connection, including secrets')
    .option('--set <name=value>', 'a setting; repeat for more; an empty value removes it', collect)
    .option(
      '--label <text>',
      'a name that distinguishes it from other connections; an empty name removes it',
    )
    .action(
      databaseAction(runtime, async (context, { team, id, set: pairs = [], label }) => {
        if (pairs.length === 0 && label === undefined)
          throw new Error('Nothing to change: give --set or --label.')
        const ctx = await teamContext(context, team)
        const connection = await getConnection(ctx, id)
        const adapter = await requireAdapter(connection.adapter)
        const given = settingsFrom(pairs)
        await updateConnection(ctx, { adapter, id, given, ...(label !== undefined && { label }) })
        const names = [...Object.keys(given), ...(label === undefined ? [] : ['label'])]
        return { text: `Changed ${names.join(', ')} of ${id}.`, json: { id, changed: names } }
      }),
    )

const show = (runtime: CliRuntime) =>
  newConnectionCommand('show')
    .description('Show a connection; a secret that the provider sent is shown only once')
    .action(
      databaseAction(runtime, async (context, { team, id }) => {
        const ctx = await teamContext(context, team)
        const connection = await getConnection(ctx, id)
        const adapter = (await loadAdapters()).get(connection.adapter)
        const revealed = connection.readable ? await revealSecretsOnce(ctx, id) : {}
        const health = await getConnectionHealth(ctx, id)
        const shown = { ...detailsOf(context, adapter, connection, health), revealed }
        const text = connectionLines(adapter, shown).join('\n') + setupText(adapter, shown)
        return { text, json: shown }
      }),
    )

const list = (runtime: CliRuntime) =>
  newTeamCommand('list')
    .description('List the connections of a team')
    .action(
      databaseAction(runtime, async (context, { team }) => {
        const ctx = await teamContext(context, team)
        const adapters = await loadAdapters()
        const found = await listConnections(ctx)
        const ids = found.map(({ id }) => id)
        const health = await listHealthByConnection(ctx, ids)
        const connections = found.map((connection) =>
          detailsOf(
            context,
            adapters.get(connection.adapter),
            connection,
            health.get(connection.id),
          ),
        )
        const rows = connections.map((one) => [
          ...[one.id, one.adapter, one.label ?? '', one.health?.state ?? ''],
          ...[
            String(one.health?.queued ?? 0),
            `${one.key_prefix}…`,
            addressOf(adapters.get(one.adapter), one),
          ],
        ])
        const header = ['ID', 'ADAPTER', 'LABEL', 'STATE', 'WAITING', 'KEY', 'ADDRESS']
        return { text: formatTable(header, rows), json: connections }
      }),
    )

const addressOf = (adapter: Adapter | undefined, { url }: { url: string | null }) =>
  adapter?.polling ? 'read on a schedule' : (url ?? unreadable)

const rotateKey = (runtime: CliRuntime) =>
  newConnectionCommand('rotate-key')
    .description('Give a connection a new API key; its address stays the same')
    .action(
      databaseAction(runtime, async (context, { team, id }) => {
        const ctx = await teamContext(context, team)
        const prefix = await rotateConnectionKey(ctx, id)
        const text = `${id} has a new key: ${prefix}…. The old one stopped working.`
        return { text, json: { id, key_prefix: prefix } }
      }),
    )

const remove = (runtime: CliRuntime) =>
  newConnectionCommand('remove')
    .description('Remove a connection, delete its secrets and revoke its key')
    .action(
      databaseAction(runtime, async (context, { team, id }) => {
        await deleteConnection(await teamContext(context, team), id)
        return { text: `Removed ${id}.`, json: { id } }
      }),
    )
