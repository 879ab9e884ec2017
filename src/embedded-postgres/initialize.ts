import { randomBytes, randomInt } from 'node:crypto'
import { chown, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { type Account, run } from './account.ts'
import type { Binaries } from './binaries.ts'
import { EmbeddedError, friendlyError } from './failure.ts'

/** What `access.json` holds: the way into the database, for whoever may read that file. */
export const Access = v.object({ port: v.number(), password: v.string() })

/**
 * Makes a database in the empty folder `home`: the data directory, an owner `tidings` who may
 * create databases and is no superuser, and the database `tidings`, all on disk when it returns.
 * Text is UTF-8, sorted by code point, with Unicode's letters and cases, the same on every system.
 */
export async function initialize(home: string, account: Account | undefined, binaries: Binaries) {
  const access = {
    // Names the socket. A server whose data folder was deleted under it removes its socket when it
    // notices, a minute later: that must not be the socket of a new database at the same place.
    port: randomInt(1024, 65536),
    password: randomBytes(24).toString('base64url'),
  }
  await writeDurably(join(home, 'access.json'), JSON.stringify(access))
  const data = join(home, 'data')
  await mkdir(data, { mode: 0o700 })
  if (account !== undefined) await chown(data, account.uid, account.gid)

  const bin = join(binaries.folder, 'bin')
  const step = async (command: string[], input?: string) => {
    const { exitCode, output } = await run(account, command, input)
    if (exitCode === 0) return
    const complaint = output.split('\n').find((line) => /FATAL|PANIC|error:/.test(line)) ?? output
    throw (
      friendlyError(complaint, dirname(home)) ??
      new EmbeddedError(`The database could not be made: ${complaint.trim()}`)
    )
  }
  await step([
    join(bin, 'initdb'),
    ...['--pgdata', data, '--username', 'postgres', '--auth', 'reject'],
    ...['--encoding', 'UTF8', '--locale', 'C'],
    ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    '--no-sync',
    '--no-instructions',
  ])
  await step([join(bin, 'postgres'), '--single', '-F', '-D', data, 'postgres'], setUp(access))
  // The superuser cannot log in at all. Written by the account: the folder is in its hands by now.
  const write = ['/bin/sh', '-c', 'cat > "$1"', 'sh', join(data, 'pg_hba.conf')]
  await step(write, 'local all tidings scram-sha-256\n')
  await step([join(bin, 'initdb'), '--sync-only', '--pgdata', data])
}

// One statement a line: that is how `postgres --single` reads.
const setUp = ({ password }: { password: string }) =>
  [
    `create role tidings login createdb in role pg_read_all_settings password '${password}'`,
    'create database tidings owner tidings',
    '',
  ].join('\n')

async function writeDurably(path: string, text: string) {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
