import {
  createKey,
  type Key,
  keyState,
  listKeys,
  NewKey,
  parseExpiry,
  revokeKey,
} from '../features/access/index.ts'
import { recordAudit } from '../features/audit/index.ts'
import { getTeamBySlug } from '../features/teams/index.ts'
import { parseInput } from '../lib/parse.ts'
import { type Command, commandLine, table, teamOption as team } from './command.ts'

const create: Command = {
  noun: 'key',
  verb: 'create',
  summary: 'Make an API key; prints its value, this once',
  options: {
    team,
    name: { type: 'string', required: true, describe: 'what the key is for' },
    scopes: { type: 'string', required: true, describe: 'read, write, send_preview; with commas' },
    expires: { type: 'string', describe: 'last day it works (2027-01-31), or a time' },
    'ingest-only': { type: 'boolean', describe: 'may call nothing but the ingest webhook' },
    'no-auto-ready': { type: 'boolean', describe: 'may not mark blocks ready by itself' },
  },
  async run({ sql, now }, values) {
    const { id: teamId } = await getTeamBySlug(sql, values.text('team'))
    const expires = values.optionalText('expires')
    const input = parseInput(NewKey, {
      name: values.text('name'),
      scopes: values
        .text('scopes')
        .split(',')
        .map((scope) => scope.trim()),
      ingest_only: values.flag('ingest-only'),
      allow_auto_ready: !values.flag('no-auto-ready'),
      expires_at: expires === undefined ? null : parseExpiry(expires, now),
    })
    const { id, start, token } = await createKey(sql, now, teamId, input)
    await recordAudit(sql, now, commandLine(teamId), 'key_created', input.name)
    return {
      text: token,
      json: { id, start, key: token, scopes: input.scopes, expires_at: input.expires_at },
    }
  },
}

const list: Command = {
  noun: 'key',
  verb: 'list',
  summary: "List a team's API keys",
  options: { team },
  async run({ sql, now }, values) {
    const { id: teamId } = await getTeamBySlug(sql, values.text('team'))
    const keys = await listKeys(sql, teamId)
    const shown = keys.map((key) => ({ ...key, state: keyState(key, now()) }))
    const rows = shown.map((key) => [
      key.id,
      `${key.start}…`,
      key.name,
      scopesOf(key),
      key.state,
      day(key.expires_at) ?? 'never',
      key.last_used_at?.toISOString() ?? 'never',
    ])
    const header = ['ID', 'KEY', 'NAME', 'SCOPES', 'STATE', 'EXPIRES', 'LAST USED']
    return { text: table(header, rows), json: shown }
  },
}

const revoke: Command = {
  noun: 'key',
  verb: 'revoke',
  summary: 'Revoke an API key, at once',
  options: {
    team,
    key: {
      type: 'string',
      required: true,
      describe: 'its id or its start, as `key list` shows it',
    },
  },
  async run({ sql, now }, values) {
    const { id: teamId } = await getTeamBySlug(sql, values.text('team'))
    const id = await revokeKey(sql, teamId, values.text('key'))
    await recordAudit(sql, now, commandLine(teamId), 'key_revoked', id)
    return { text: `Revoked ${id}.`, json: { id, state: 'revoked' } }
  },
}

function scopesOf(key: Key): string {
  const narrowed = [
    ...(key.ingest_only ? ['ingest only'] : []),
    ...(key.allow_auto_ready ? [] : ['no auto_ready']),
  ]
  const scopes = key.scopes.join(',')
  return narrowed.length === 0 ? scopes : `${scopes} (${narrowed.join(', ')})`
}

const day = (at: Date | null) => at?.toISOString().slice(0, 10)

export const keyCommands = [create, list, revoke]
