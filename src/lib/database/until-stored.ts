import { setTimeout } from 'node:timers/promises'
import { codeOf } from '../errors.ts'
import { withDeadline } from './db.ts'
import { databaseCauseOf, isDatabaseUnavailable } from './db-errors.ts'

const pauseMs = 1_000
const maxMs = 600_000

/**
 * Repeats a statement that records what has happened outside of the database, such as an email that was sent,
 * until it is stored: for at most ten minutes while the database is unavailable. A repetition of the statement
 * must change nothing. Throws what prevented it in the end.
 */
export async function untilStored(
  statement: () => Promise<void>,
  endsAtMs = performance.now() + maxMs,
): Promise<void> {
  try {
    return await withDeadline(statement())
  } catch (error) {
    // A process that stops has ended its connections.
    const isStopping = codeOf(databaseCauseOf(error)) === 'CONNECTION_ENDED'
    if (!isDatabaseUnavailable(error) || isStopping || performance.now() > endsAtMs) throw error
  }
  await setTimeout(pauseMs)
  return await untilStored(statement, endsAtMs)
}
