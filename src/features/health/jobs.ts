import { withDeadline } from '../../lib/database/db.ts'
import type { HealthCheckContext } from './context.ts'
import { type Finding, failing, ok, warning } from './finding.ts'
import { existsQueue, type JobFacts, selectJobFacts } from './sql.ts'

const jobLimits = { failed: 1_000, idleSeconds: 300 }
const noJobs: JobFacts = { waited_seconds: 0, overdue_seconds: 0, failed: 0 }

/** A process takes the jobs that wait, and none has failed. */
export async function checkJobs({ sql }: HealthCheckContext): Promise<Finding[]> {
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
