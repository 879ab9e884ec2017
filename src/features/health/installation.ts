import { existsSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { isOnThisComputer } from '../../lib/outbound/local-address.ts'
import { isGuessable } from '../../lib/secrets/guessable.ts'
import { loadSecret } from '../../lib/secrets/secret-file.ts'
import type { HealthCheckContext } from './context.ts'
import { type Finding, failing, ok, warning } from './finding.ts'

const minFreeShare = 0.1

/** People and providers can reach BASE_URL, over https. */
export async function checkSettings({ settings }: HealthCheckContext): Promise<Finding[]> {
  const { baseUrl } = settings
  if (isOnThisComputer(baseUrl)) {
    const action = 'Set BASE_URL to the address under which people and providers reach the service.'
    return [
      warning('Settings', `BASE_URL is ${baseUrl}, which only this machine can reach.`, action),
    ]
  }
  if (!baseUrl.startsWith('https:')) {
    const action = 'Put a proxy with TLS in front and set BASE_URL to its https address.'
    return [warning('Settings', `BASE_URL is ${baseUrl}: passwords travel unencrypted.`, action)]
  }
  return [ok('Settings', `BASE_URL is ${baseUrl}.`)]
}

/** Nobody else can read the secret of the installation or guess it. */
export async function checkSecret({ settings }: HealthCheckContext): Promise<Finding[]> {
  const { secret, dataDir } = settings
  const file = join(dataDir, 'secret')
  if (secret === null && ((await stat(file)).mode & 0o077) !== 0) {
    return [failing('Secret', `Other users can read ${file}.`, `Run: chmod 600 ${file}`)]
  }
  if (isGuessable(secret ?? (await loadSecret(dataDir)) ?? '')) {
    const action = 'Stop the service, run "npx bun run tidings secret rotate", and start it again.'
    return [warning('Secret', 'The secret can be guessed.', action)]
  }
  return secret === null
    ? [ok('Secret', `The secret is in ${file}, which only its owner can read.`)]
    : [ok('Secret', 'The secret is in TIDINGS_SECRET.')]
}

/** The disks of the folders with data and backups have room. */
export async function checkDisks({ settings }: HealthCheckContext): Promise<Finding[]> {
  const folders = { DATA_DIR: settings.dataDir, BACKUP_TO: settings.backup?.folder ?? null }
  const findings: Finding[] = []
  for (const [setting, folder] of Object.entries(folders)) {
    // With a database and a secret of the operator's own there can be no folder.
    if (folder !== null && existsSync(folder)) findings.push(await checkDisk(setting, folder))
  }
  return findings
}

async function checkDisk(setting: string, folder: string): Promise<Finding> {
  const { blocks, bavail, bsize } = await statfs(folder)
  const freeGb = (bavail * bsize) / 2 ** 30
  const message = `${freeGb.toFixed(1)} GB are free for ${folder}.`
  if (bavail / blocks >= minFreeShare || freeGb >= 10) return ok('Disk', message)
  const action = `Free some space there, or move ${setting} to a larger disk.`
  return freeGb < 0.5 ? failing('Disk', message, action) : warning('Disk', message, action)
}
