import { exitCodeOf, type Finding, runHealthChecks } from '../features/health/index.ts'
import { installationSettingsOf } from '../installation/settings.ts'
import { type CliContext, type CliRuntime, newCommand, printOutput } from './command.ts'

const marks = { ok: 'ok      ', warning: 'warning ', failing: 'FAILING ' } as const

/** `tidings doctor`: exit code 0 when everything is fine, 1 with a warning, 2 with a failure. */
export const doctorCommand = (runtime: CliRuntime) =>
  newCommand('doctor')
    .description('Check the installation; exits with 1 for a warning and 2 for a failure')
    .action(async (options) => {
      const findings = await runtime.withDatabase(check).catch(asFinding)
      printOutput(runtime, options, { text: findings.map(lineOf).join('\n'), json: { findings } })
      runtime.setExitCode(exitCodeOf(findings))
    })

const check = ({ sql, now, config }: CliContext): Promise<Finding[]> =>
  runHealthChecks({
    sql,
    now,
    teamId: null,
    settings: installationSettingsOf(config),
  })

/** Why the database cannot be opened; the message says what to do. */
function asFinding(error: unknown): Finding[] {
  const message = error instanceof Error ? error.message : String(error)
  const action = 'Correct the settings that the message names, then run "tidings doctor" again.'
  return [{ check: 'Start', status: 'failing', message, action }]
}

function lineOf({ check: name, status, message, action }: Finding): string {
  const line = `${marks[status]}${name}: ${message}`
  return action === null || action === message ? line : `${line}\n        ${action}`
}
