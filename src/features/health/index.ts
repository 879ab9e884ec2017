import { existsSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { systemContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { mailServerProblem } from '../../lib/mail/mail.ts'
import { isOnThisComputer } from '../../lib/outbound/local-address.ts'
import { isGuessable } from '../../lib/secrets/guessable.ts'
import { loadSecret } from '../../lib/secrets/secret-file.ts'
import { toReason } from '../../lib/text/reason.ts'
import { type ConnectionWithHealth, listConnectionHealth } from '../connections/index.ts'
import { identityProviderProblem } from '../sessions/index.ts'
import { checkAi } from './ai.ts'
import { checkBackups } from './backups.ts'
import type { HealthCheckContext } from './context.ts'
import { checkDatabase } from './database.ts'
import { type Finding, failing, ok, warning } from './finding.ts'
import { checkImages } from './images.ts'
import { existsQueue, type JobFacts, selectFirstTeams, selectJobFacts } from './sql.ts'

export type { HealthCheckContext, InstallationSettings } from './context.ts'
export type { Finding } from './finding.ts'

const maxTeams = 100
const responseTimeoutMs = 5_000
const leastFreeShare = 0.1
const jobLimits = { failed: 1_000, idleSeconds: 300 }
const noJobs: JobFacts = { waited_seconds: 0, overdue_seconds: 0, failed: 0 }

/** Checks the whole installation. A check that cannot run is a finding; never throws. */
export async function runHealthChecks(ctx: HealthCheckContext): Promise<Finding[]> {
  const checks = {
    Settings: checkSettings,
    Secret: checkSecret,
    Database: checkDatabase,
    Disk: checkDisks,
    Backups: checkBackups,
    Images: checkImages,
    AI: checkAi,
    Email: checkEmail,
    Address: checkAddress,
    'Sign-in': checkSignIn,
    Connections: checkConnections,
    Jobs: checkJobs,
  }
  const found = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        return await check(ctx)
      } catch (error) {
        const reason = error instanceof Error ? toReason(error.message) : 'unknown error'
        return [
          failing(name, `The check could not run: ${reason}.`, 'Read the log of the service.'),
        ]
      }
    }),
  )
  return found.flat()
}

/** 0 when everything is fine, 1 with a warning, 2 with a failure. */
export function exitCodeOf(findings: readonly Finding[]): 0 | 1 | 2 {
  if (findings.some(({ status }) => status === 'failing')) return 2
  return findings.some(({ status }) => status === 'warning') ? 1 : 0
}

async function checkSettings({ settings }: HealthCheckContext): Promise<Finding[]> {
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

async function checkSecret({ settings }: HealthCheckContext): Promise<Finding[]> {
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

async function checkDisks({ settings }: HealthCheckContext): Promise<Finding[]> {
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
  if (bavail / blocks >= leastFreeShare || freeGb >= 10) return ok('Disk', message)
  const action = `Free some space there, or move ${setting} to a larger disk.`
  return freeGb < 0.5 ? failing('Disk', message, action) : warning('Disk', message, action)
}

async function checkEmail({ settings }: HealthCheckContext): Promise<Finding[]> {
  if (settings.smtpUrl === null) {
    const action = 'Set SMTP_URL and MAIL_FROM.'
    return [warning('Email', 'Emails are captured instead of sent.', action)]
  }
  const problem = await mailServerProblem(settings.smtpUrl)
  if (problem === null) return [ok('Email', 'The mail server accepts emails of this installation.')]
  return [failing('Email', problem, 'Correct SMTP_URL, or ask whoever runs the mail server.')]
}

/** The service answers under BASE_URL, as its users ask it. */
async function checkAddress({ settings }: HealthCheckContext): Promise<Finding[]> {
  const { baseUrl } = settings
  const action = 'Check that the service runs, BASE_URL, the DNS name and the proxy.'
  try {
    const response = await fetch(`${baseUrl}/healthz`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(responseTimeoutMs),
    })
    const text = await response.text()
    if (response.ok && text.includes('"ok"')) return [ok('Address', `${baseUrl} is reachable.`)]
    return [failing('Address', `${baseUrl} answers ${response.status}, not as Tidings.`, action)]
  } catch {
    return [failing('Address', `${baseUrl} is not reachable from this machine.`, action)]
  }
}

/** The identity providers describe themselves, as sign-in needs it. */
async function checkSignIn({ settings }: HealthCheckContext): Promise<Finding[]> {
  return await Promise.all(
    settings.identityProviders.map(async (provider) => {
      const check = `Sign-in with ${provider.name}`
      const problem = await identityProviderProblem(provider)
      if (problem === null) return ok(check, `${provider.name} is reachable.`)
      const action = `Check OIDC_${provider.id.toUpperCase()}_ISSUER, and whether ${provider.name} works.`
      return failing(check, `${provider.name} cannot be used: ${problem}.`, action)
    }),
  )
}

async function checkConnections({ sql, now, teamId }: HealthCheckContext): Promise<Finding[]> {
  const teams =
    teamId === null
      ? await withDeadline(selectFirstTeams(sql, maxTeams))
      : [{ id: teamId, slug: '' }]
  const findings: (Finding | null)[] = []
  for (const { id, slug } of teams) {
    const connections = await listConnectionHealth(systemContext({ sql, now }, id))
    findings.push(...connections.map((connection) => findingOf(connection, slug)))
  }
  const wrong = findings.filter((finding) => finding !== null)
  const healthy = findings.length - wrong.length
  const message =
    findings.length === 0
      ? 'There are no connections.'
      : `${healthy} of ${findings.length} work or wait for their first event.`
  return [ok('Connections', message), ...wrong]
}

/** What is wrong with a connection, or null. */
function findingOf(connection: ConnectionWithHealth, slug: string): Finding | null {
  const { adapter, label, state, reason, action } = connection
  const check = `Connection ${[slug, adapter, label].filter((name) => name).join(' / ')}`
  const message = reason ?? 'It does not work.'
  const wait = 'It continues by itself; look again later.'
  if (state === 'failing') return failing(check, message, action ?? wait)
  return state === 'delayed' ? warning(check, message, wait) : null
}

async function checkJobs({ sql }: HealthCheckContext): Promise<Finding[]> {
  const facts = (await withDeadline(existsQueue(sql)))
    ? await withDeadline(selectJobFacts(sql, jobLimits))
    : undefined
  const { waited_seconds: waited, overdue_seconds: overdue, failed } = facts ?? noJobs
  const findings: Finding[] = []
  if (overdue > 0) {
    const action = 'Start a process with ROLE=worker or ROLE=all, or read its log.'
    findings.push(failing('Jobs', waitedMessage(overdue), action))
  } else if (waited > jobLimits.idleSeconds) {
    const reason = 'Jobs before it are being processed, so it continues by itself.'
    findings.push(ok('Jobs', `${waitedMessage(waited)} ${reason}`))
  }
  if (failed > 0) {
    const message = failed === 1 ? '1 job has failed.' : `${failed} jobs have failed.`
    const action = 'Read the reasons under Settings → Jobs, correct the cause, and retry the jobs.'
    findings.push(warning('Jobs', message, action))
  }
  return findings.length > 0 ? findings : [ok('Jobs', 'No job is late or has failed.')]
}

const waitedMessage = (seconds: number) =>
  `A job has waited for ${Math.round(seconds / 60)} minutes.`
