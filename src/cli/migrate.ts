import type { Command } from './command.ts'

/** Brings the database up to date ahead of a start, which does the same by itself. */
export const migrate: Command = {
  noun: 'migrate',
  summary: 'Bring the database to the version of this Tidings; every start does it, too',
  options: {},
  async run({ migrated }) {
    const text =
      migrated.length > 0 ? `Applied ${migrated.join(', ')}.` : 'The database is up to date.'
    return { text, json: { applied: migrated } }
  },
}
