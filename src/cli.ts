import { runCommand } from './run-command.ts'

const { env, stdout, stderr } = process
process.exitCode = await runCommand(
  { env, write: (text) => stdout.write(text), writeError: (text) => stderr.write(text) },
  process.argv.slice(2),
)
