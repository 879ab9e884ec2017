import { Command } from '@commander-js/extra-typings'
import {
  createKey,
  type Key,
  keyState,
  listKeys,
  NewKey,
  parseExpiry,
  revokeKey,
} from '../features/api-keys/index.ts'
import { getTeamBySlug } from '../features/teams/index.ts'
import { parseInput } from '../lib/parse.ts'
import {
  type CliRuntime,
  databaseAction,
  formatTable,
  newTeamCommand,
  teamContext,
} from './command.ts'

/** `tidings key …` */
export const keyCommand = (runtime: CliRuntime) =>
  new Command('key')
    .description('Create, list and revoke API keys')
    .addCommand(create(runtime))
    .addCommand(list(runtime))
    .addCommand(revoke(runtime))

const create = (runtime: CliRuntime) =>
  newTeamCommand('create')
    .description('Create an API key and print it; it is not shown again')
    .requiredOption('--name <name>', 'what the key is for')
    .requiredOption('--scopes <scopes>', 'read, write, send_preview; separated by commas')
    .option('--expires <date>', 'last day on which the key works (2027-01-31), or a time')
    .option('--ingest-only', 'the key may call only the ingest webhook')
    .option('--no-auto-ready', 'the key may not create blocks that are ready without a review')
    .action(
      databaseAction(runtime, async (context, options) => {
        const ctx = await teamContext(context, options.team)
        const { expires } = options
        const input = parseInput(NewKey, {
          name: options.name,
          scopes: options.scopes.split(',').map((scope) => scope.trim()),
          ingest_only: options.ingestOnly ?? false,
          allow_auto_ready: options.autoReady,
          expires_at: expires === undefined ? null : parseExpiry(expires, ctx.now),
        })
        const { id, prefix, token } = await createKey(ctx, input)
        return {
          text: token,
          json: { id, prefix, key: token, scopes: input.scopes, expires_at: input.expires_at },
        }
      }),
    )

const list = (runtime: CliRuntime) =>
  newTeamCommand('list')
    .description('List the API keys of a team')
    .action(
      databaseAction(runtime, async ({ sql, now }, { team }) => {
        const { id: teamId } = await getTeamBySlug(sql, team)
        const keys = await listKeys({ sql, actor: { teamId } })
        const shown = keys.map((key) => ({ ...key, state: keyState(key, now()) }))
        const rows = shown.map((key) => [
          key.id,
          `${key.prefix}…`,
          key.name,
          scopesOf(key),
          key.state,
          day(key.expires_at) ?? 'never',
          key.last_used_at?.toISOString() ?? 'never',
        ])
        const header = ['ID', 'KEY', 'NAME', 'SCOPES', 'STATE', 'EXPIRES', 'LAST USED']
        return { text: formatTable(header, rows), json: shown }
      }),
    )

const revoke = (runtime: CliRuntime) =>
  newTeamCommand('revoke')
    .description('Revoke an API key; it stops working immediately')
    .requiredOption('--key <key>', 'id or prefix of the key, as `tidings key list` shows it')
    .action(
      databaseAction(runtime, async (context, { team, key }) => {
        const id = await revokeKey(await teamContext(context, team), key)
        return { text: `Revoked ${id}.`, json: { id, state: 'revoked' } }
      }),
    )

function scopesOf(key: Key): string {
  const narrowed = [
    ...(key.ingest_only ? ['ingest only'] : []),
    ...(key.allow_auto_ready ? [] : ['no auto_ready']),
  ]
  const scopes = key.scopes.join(',')
  return narrowed.length === 0 ? scopes : `${scopes} (${narrowed.join(', ')})`
}

const day = (at: Date | null) => at?.toISOString().slice(0, 10)
