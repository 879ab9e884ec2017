import { systemContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { type ConnectionWithHealth, listConnectionHealth } from '../connections/index.ts'
import type { HealthCheckContext } from './context.ts'
import { type Finding, failing, ok, warning } from './finding.ts'
import { selectFirstTeams } from './sql.ts'

const maxTeams = 100

/** The connections of one team, or of the first 100 teams. */
export async function checkConnections({
  sql,
  now,
  teamId,
}: HealthCheckContext): Promise<Finding[]> {
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
