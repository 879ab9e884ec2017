import type { AuditAction } from '../../src/features/audit-log/index.ts'
import type { Team } from '../../src/features/teams/index.ts'
import type { client, TestApp } from '../support/app.ts'
import type { Person } from '../support/console.ts'
import type { Installation } from '../support/processes/cli.ts'

/** What the operations of the test work with: one team, seen by a key, an admin and the command line. */
export interface AuditSetup {
  app: TestApp
  team: Team
  api: ReturnType<typeof client>
  admin: Person
  tidings: Installation['tidings']
}

/** A change that is in the audit log. */
export interface RecordedOperation {
  /** The actions of the entries that the operation writes, in their order. */
  actions: readonly AuditAction[]
  /** Creates what the operation needs and returns the operation; it can run again when it has failed. */
  prepare(setup: AuditSetup): Promise<() => Promise<unknown>>
}

/** An operation is recorded, or it has a reason why the audit log has no entry. */
export type OperationCase = RecordedOperation | string

/** An operation whose preparation returns what it needs. */
export const recorded = <Needed>(
  actions: readonly AuditAction[],
  prepare: (setup: AuditSetup) => Promise<Needed>,
  run: (setup: AuditSetup, needed: Needed) => Promise<unknown>,
): RecordedOperation => ({
  actions,
  async prepare(setup) {
    const needed = await prepare(setup)
    return () => run(setup, needed)
  },
})

/** An operation that needs nothing. */
export const direct = (
  actions: readonly AuditAction[],
  run: (setup: AuditSetup) => Promise<unknown>,
): RecordedOperation => recorded(actions, async () => {}, run)
