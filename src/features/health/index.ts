import { reasonOf } from '../../lib/text/reason.ts'
import { checkAi } from './ai.ts'
import { checkBackups } from './backups.ts'
import { checkConnections } from './connections.ts'
import type { HealthCheckContext } from './context.ts'
import { checkDatabase } from './database.ts'
import { type Finding, failing } from './finding.ts'
import { checkImages } from './images.ts'
import { checkDisks, checkSecret, checkSettings } from './installation.ts'
import { checkJobs } from './jobs.ts'
import { checkAddress, checkEmail, checkSignIn } from './network.ts'

export type { HealthCheckContext, InstallationSettings } from './context.ts'
export type { Finding } from './finding.ts'

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
        const message = `The check could not run: ${reasonOf(error)}.`
        return [failing(name, message, 'Read the log of the service.')]
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
