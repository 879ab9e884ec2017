import { randomBytes, randomInt } from 'node:crypto'
import { chown, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import type { Binaries } from './binaries.ts'
import { EmbeddedError, friendlyError } from './failure.ts'
import { runProgram, type SystemUser } from './system-user.ts'

/** The content of `access.json`, with which a process connects to the database. */
export const DatabaseAccess = v.object({ port: v.number(), password: v.string() })

/**
 * Creates a database in the empty folder `home`: the data directory, a role `tidings` that is no
 * superuser and may create databases, and the database `tidings`. Everything is on disk when it
 * returns. Text is UTF-8, sorted by code point, so that the order is the same on every system.
 */
export async function initialize(
  home: string,
  systemUser: SystemUser | undefined,
  binaries: Binaries,
) {
  const access = {
    // The port is part of the socket's name. A server whose data folder was deleted removes its
    // socket up to a minute later, so a new database in the same folder needs another name.
    port: randomInt(1024, 65536),
    password: randomBytes(24).toString('base64url'),
  }
  await writeDurably(join(home, 'access.json'), JSON.stringify(access))
  const data = join(home, 'data')
  await mkdir(data, { mode: 0o700 })
  if (systemUser !== undefined) await chown(data, systemUser.uid, systemUser.gid)

  const bin = join(binaries.folder, 'bin')
  const step = async (command: string[], input?: string) => {
    const { exitCode, output } = await runProgram(systemUser, command, input)
    if (exitCode === 0) return
    const complaint = output.split('\n').find((line) => /FATAL|PANIC|error:/.test(line)) ?? output
    throw (
      friendlyError(complaint, dirname(home)) ??
      new EmbeddedError(`The database could not be created: ${complaint.trim()}`)
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
  // The superuser cannot log in at all. The user writes the file, because the folder belongs to
  // it.
  const write = ['/bin/sh', '-c', 'cat > "$1"', 'sh', join(data, 'pg_hba.conf')]
  await step(write, 'local all tidings scram-sha-256\n')
  await step([join(bin, 'initdb'), '--sync-only', '--pgdata', data])
}

// `postgres --single` reads one statement per line.
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
