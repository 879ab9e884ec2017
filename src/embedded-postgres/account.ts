import { stat } from 'node:fs/promises'
import { EmbeddedError } from './failure.ts'

/** The system user that PostgreSQL runs as when Tidings runs as root, which PostgreSQL refuses. */
export interface Account {
  name: string
  uid: number
  gid: number
}

/** What PostgreSQL gets as its environment: none of our secrets, and messages in plain English. */
export const environment = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', TZ: 'UTC', LC_ALL: 'C' }

export const isRoot = () => process.getuid?.() === 0

/** Spawn options that make a child run as `account`, or as ourselves without one. */
export const as = (account: Account | undefined) =>
  account === undefined ? {} : { uid: account.uid, gid: account.gid }

/** Runs a program to its end and gives its exit code with all it printed. Throws if it cannot start. */
export async function run(account: Account | undefined, command: string[], input = '') {
  const child = Bun.spawn(command, {
    ...as(account),
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

/** The account for a new database: nobody else's when we are an ordinary user, `postgres` or `nobody` as root. */
export async function accountForNew(): Promise<Account | undefined> {
  if (!isRoot()) return undefined
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const [uid, gid] = await Promise.all([
      run(undefined, ['id', '-u', name]),
      run(undefined, ['id', '-g', name]),
    ])
    // macOS counts nobody as -2.
    if (uid.exitCode === 0)
      return { name, uid: Number(uid.output) >>> 0, gid: Number(gid.output) >>> 0 }
  }
  throw new EmbeddedError(
    'PostgreSQL does not run as root, and this system has neither a user postgres nor a user nobody: start Tidings as an ordinary user, or set DATABASE_URL.',
  )
}

/**
 * The account of an existing database: whoever owns its files.
 * Throws a sentence when we cannot run as that user.
 */
export async function accountOf(data: string): Promise<Account | undefined> {
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

/** Whether the account can enter the folder, found out by doing it. */
export async function canEnter(account: Account, folder: string): Promise<boolean> {
  try {
    return (await run(account, ['/bin/sh', '-c', 'cd "$1"', 'sh', folder])).exitCode === 0
  } catch (error) {
    throw new EmbeddedError(
      `PostgreSQL does not run as root, and this system does not let root start programs as ${account.name}: start Tidings as an ordinary user, or set DATABASE_URL.`,
      { cause: error },
    )
  }
}
