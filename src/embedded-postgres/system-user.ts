import { stat } from 'node:fs/promises'
import { EmbeddedError } from './failure.ts'

/**
 * The system user that PostgreSQL runs as when Tidings runs as root: PostgreSQL refuses to run as
 * root.
 */
export interface SystemUser {
  name: string
  uid: number
  gid: number
}

/**
 * The environment of PostgreSQL programs: it contains no secret, and `LC_ALL` makes their messages
 * English.
 */
export const environment = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', TZ: 'UTC', LC_ALL: 'C' }

/** Whether this process runs as root; PostgreSQL refuses that. */
export const isRoot = () => process.getuid?.() === 0

/** Spawn options that run a child as `systemUser`, or as the present user when there is none. */
export const userOptions = (systemUser: SystemUser | undefined) =>
  systemUser === undefined ? {} : { uid: systemUser.uid, gid: systemUser.gid }

/**
 * Runs a program until it ends. Returns its exit code and all its output. Throws when it cannot
 * start.
 */
export async function runProgram(
  systemUser: SystemUser | undefined,
  command: string[],
  input = '',
) {
  const child = Bun.spawn(command, {
    ...userOptions(systemUser),
    cwd: '/',
    env: environment,
    stdin: new Blob([input]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { exitCode, output: stdout + stderr }
}

/**
 * The user for a new database: undefined (the present user) unless Tidings runs as root;
 * otherwise the first of `postgres`, `_postgres` and `nobody` that exists. Throws `EmbeddedError`
 * when none exists.
 */
export async function systemUserForNew(): Promise<SystemUser | undefined> {
  if (!isRoot()) return undefined
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const [uid, gid] = await Promise.all([
      runProgram(undefined, ['id', '-u', name]),
      runProgram(undefined, ['id', '-g', name]),
    ])
    // On macOS, the id of nobody is -2.
    if (uid.exitCode === 0)
      return { name, uid: Number(uid.output) >>> 0, gid: Number(gid.output) >>> 0 }
  }
  throw new EmbeddedError(
    'PostgreSQL does not run as root, and this system has neither a user postgres nor a user nobody: start Tidings as an ordinary user, or set DATABASE_URL.',
  )
}

/**
 * The user that owns the files of an existing database. Throws `EmbeddedError` when the present
 * user cannot run programs as that user.
 */
export async function systemUserOf(data: string): Promise<SystemUser | undefined> {
  const { uid, gid } = await stat(data)
  if (isRoot() && uid !== 0) return { name: String(uid), uid, gid }
  if (isRoot())
    throw new EmbeddedError(
      `The database in ${data} belongs to root, and PostgreSQL does not run as root: give it to another user, for example with chown -R nobody ${data}.`,
    )
  if (uid === process.getuid?.()) return undefined
  throw new EmbeddedError(
    `The database in ${data} belongs to another user (id ${uid}): start Tidings as that user or as root, as the first time, or set DATA_DIR to another folder.`,
  )
}

/**
 * True when the user can enter the folder. It is tried, because permissions alone do not show
 * it. Throws `EmbeddedError`.
 */
export async function canEnter(systemUser: SystemUser, folder: string): Promise<boolean> {
  try {
    return (await runProgram(systemUser, ['/bin/sh', '-c', 'cd "$1"', 'sh', folder])).exitCode === 0
  } catch (error) {
    throw new EmbeddedError(
      `PostgreSQL does not run as root, and this system does not let root start programs as ${systemUser.name}: start Tidings as an ordinary user, or set DATABASE_URL.`,
      { cause: error },
    )
  }
}
