import { existsSync } from 'node:fs'
import packageJson from '../../package.json' with { type: 'json' }
import { fileError, writeBackup } from '../features/backups/index.ts'
import { type CliRuntime, newCommand, printOutput } from './command.ts'

/** `tidings backup <file>` */
export const backupCommand = (runtime: CliRuntime) =>
  newCommand('backup')
    .description('Write everything to one file; the service can run meanwhile')
    .argument('<file>', 'file to create')
    .option('--without-secret', 'leave out the secret of the installation; keep it elsewhere')
    .action(async (file, options) => {
      if (existsSync(file)) throw new Error(`The file ${file} exists already: choose another name.`)
      const rows = await runtime.withDatabase(({ sql, now, secret, config, storage }) => {
        const passphrase = options.withoutSecret === true ? null : config.backupPassphrase
        if (passphrase === null && options.withoutSecret !== true) {
          throw new Error(
            'The backup contains the secret of the installation: set BACKUP_PASSPHRASE, with which it is encrypted, or add --without-secret.',
          )
        }
        const onMissingFile = (name: string) =>
          runtime.writeError(`The image ${name} is missing and is not in the backup.\n`)
        const { version } = packageJson
        const deps = { sql, now, secret, passphrase, version, storage, onMissingFile }
        return writeBackup(deps, file).catch((error) => fileError(file, error))
      })
      printOutput(runtime, options, { text: summary(`Wrote ${file}`, rows), json: { file, rows } })
    })

/** `tidings restore <file>` */
export const restoreCommand = (runtime: CliRuntime) =>
  newCommand('restore')
    .description('Restore a backup into an empty installation whose service does not run')
    .argument('<file>', 'file that tidings backup has written')
    .action(async (file, options) => {
      const { header, rows } = await runtime.restore(file)
      const text = summary(`Restored ${file} of ${header.created_at}`, rows)
      const secret =
        header.secret === null
          ? '\nThe secret is not in this backup: set TIDINGS_SECRET to the earlier one.'
          : ''
      const json = { file, created_at: header.created_at, version: header.version, rows }
      printOutput(runtime, options, { text: text + secret, json })
    })

function summary(what: string, rows: Record<string, number>): string {
  const { jobs = 0, files = 0, ...tables } = rows
  const total = Object.values(tables).reduce((sum, count) => sum + count, 0)
  return `${what}: ${total} rows of ${Object.keys(tables).length} tables, ${jobs} waiting jobs and ${files} images.`
}
