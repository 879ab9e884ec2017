import { type CliRuntime, databaseAction, newCommand } from './command.ts'

/** `tidings migrate`. The migrations run while the database is opened, as at every start. */
export const migrateCommand = (runtime: CliRuntime) =>
  newCommand('migrate')
    .description('Update the database to this version of Tidings; every start does this too')
    .action(
      databaseAction(runtime, async ({ migrated }) => {
        const text =
          migrated.length > 0 ? `Applied ${migrated.join(', ')}.` : 'The database is up to date.'
        return { text, json: { applied: migrated } }
      }),
    )
