import { withDeadline } from '../../lib/database/db.ts'
import type { HealthCheckContext } from './context.ts'
import { type Finding, failing, ok, warning } from './finding.ts'
import { type DatabaseFacts, selectFacts } from './sql.ts'

const oldestVersion = 15
const maxUsedShare = 0.8
const clockDifferenceMs = { warning: 2_000, failing: 30_000 }

/** Version, encoding, locale, size, connections and clock of the database. */
export async function checkDatabase({ sql, settings }: HealthCheckContext): Promise<Finding[]> {
  const startedAt = Date.now()
  const facts = await withDeadline(selectFacts(sql))
  const now = (startedAt + Date.now()) / 2
  if (!facts) throw new Error('the database does not describe itself')
  return [
    checkVersion(facts),
    checkLocale(facts),
    checkConnectionCount(facts, settings.dbPool),
    checkClock(Math.abs(facts.at.getTime() - now)),
  ]
}

function checkVersion({ version, size }: DatabaseFacts): Finding {
  const major = Math.floor(version / 10_000)
  return major >= oldestVersion
    ? ok('Database', `PostgreSQL ${major}, ${size}.`)
    : failing(
        'Database',
        `PostgreSQL ${major} is too old.`,
        `Upgrade it to ${oldestVersion} or newer.`,
      )
}

function checkLocale({ encoding, collation }: DatabaseFacts): Finding {
  const message = `The encoding is ${encoding}, the locale ${collation}.`
  return encoding === 'UTF8'
    ? ok('Database encoding', message)
    : failing('Database encoding', message, 'Move the data to a database with the encoding UTF8.')
}

function checkConnectionCount(
  { connections, max_connections: most }: DatabaseFacts,
  dbPool: number,
): Finding {
  const check = 'Database connections'
  const action =
    'Raise the limit there (max_connections, or that of the user or the database), or lower DB_POOL.'
  if (dbPool >= most) {
    const message = `DB_POOL is ${dbPool}, and the database accepts ${most} connections.`
    return warning(check, message, action)
  }
  const message = `${connections} of ${most} connections are in use.`
  return connections < most * maxUsedShare ? ok(check, message) : warning(check, message, action)
}

function checkClock(differenceMs: number): Finding {
  const check = 'Clock'
  const message = `The clocks of this machine and the database differ by ${(differenceMs / 1000).toFixed(1)} s.`
  const action = 'Synchronize both clocks with NTP.'
  if (differenceMs > clockDifferenceMs.failing) return failing(check, message, action)
  return differenceMs > clockDifferenceMs.warning
    ? warning(check, message, action)
    : ok(check, message)
}
