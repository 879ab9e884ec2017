import { randomBytes } from 'node:crypto'
import { lstat, readdir, realpath, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import * as v from 'valibot'
import { createAtomically, createParent, folderMode } from './atomic-dir.ts'
import { type Binaries, usableBinaries } from './binaries.ts'
import { codeOf, EmbeddedError, friendlyError, withFriendlyErrors } from './failure.ts'
import { DatabaseAccess, initialize } from './initialize.ts'
import { socketFolder } from './socket.ts'
import { canEnter, type SystemUser, systemUserForNew, systemUserOf } from './system-user.ts'

/**
 * How to connect. `host` is the folder of the socket, in the form that both `postgres` and `pg`
 * accept.
 */
export interface ConnectionOptions {
  host: string
  port: number
  database: string
  username: string
  password: string
}

/** A database on disk with everything that is needed to start it. */
export interface Cluster {
  /** PostgreSQL's own data directory. */
  data: string
  logFile: string
  systemUser: SystemUser | undefined
  binaries: Binaries
  connection: ConnectionOptions
  /** Settings of PostgreSQL besides those of every start. */
  settings: Readonly<Record<string, string | number>>
}

/**
 * Finds or creates the database of a data folder: `<dataDir>/postgres`. When the user that
 * PostgreSQL runs as cannot enter `dataDir`, this is a link to a folder in `stagingDir`. Throws
 * `EmbeddedError` when the database cannot be used.
 */
export async function openCluster(
  dataDir: string,
  stagingDir: string,
  log: Logger,
): Promise<Omit<Cluster, 'settings'>> {
  return withFriendlyErrors(dataDir, async () => {
    await createParent(dataDir)
    const path = join(await realpath(dataDir), 'postgres')
    const existing = await findHome(path)
    const systemUser = existing
      ? await systemUserOf(join(existing, 'data'))
      : await systemUserForNew()
    // Throws where root must not switch users, as in some containers.
    if (systemUser !== undefined) await canEnter(systemUser, '/')
    const binaries = await usableBinaries(systemUser, stagingDir)
    const home = existing ?? (await create({ path, stagingDir, systemUser, binaries, log }))
    await checkUsable(home, systemUser, binaries)
    const { port, password } = await loadAccess(home)
    return {
      data: join(home, 'data'),
      logFile: join(home, 'postgres.log'),
      systemUser,
      binaries,
      connection: {
        host: socketFolder(home),
        port,
        database: 'tidings',
        username: 'tidings',
        password,
      },
    }
  })
}

/** The folder behind `<dataDir>/postgres`, or undefined when it does not exist. */
async function findHome(path: string): Promise<string | undefined> {
  try {
    await lstat(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    const home = await realpath(path)
    await stat(join(home, 'data'))
    return home
  } catch (error) {
    // An empty database here could hide that a disk is not mounted.
    if (codeOf(error) !== 'ENOENT') throw error
    throw new EmbeddedError(
      `There is no database behind ${path}: mount or restore its folder, or move ${path} away to start with an empty database.`,
    )
  }
}

/**
 * The port and password from `access.json`. Throws `EmbeddedError` when the file is missing or
 * damaged.
 */
async function loadAccess(home: string): Promise<v.InferOutput<typeof DatabaseAccess>> {
  const path = join(home, 'access.json')
  const file = await Bun.file(path)
    .json()
    .catch((error: unknown) => {
      throw friendlyError(error, path) ?? damaged(path, error)
    })
  const access = v.safeParse(DatabaseAccess, file)
  if (!access.success) throw damaged(path)
  return access.output
}

const damaged = (path: string, cause?: unknown) =>
  new EmbeddedError(
    `The file ${path} is missing or damaged: restore it from a backup, or move the folder around it away to start with an empty database.`,
    { cause },
  )

async function checkUsable(home: string, systemUser: SystemUser | undefined, binaries: Binaries) {
  const data = join(home, 'data')
  const versionFile = join(data, 'PG_VERSION')
  const text = await Bun.file(versionFile)
    .text()
    .catch((error: unknown) => {
      throw friendlyError(error, versionFile) ?? damaged(versionFile, error)
    })
  const version = text.trim()
  if (version === '') throw damaged(versionFile)
  const ours = binaries.version.split('.')[0]
  if (version !== ours)
    throw new EmbeddedError(
      `The database in ${data} was created by PostgreSQL ${version}, and this version of Tidings contains PostgreSQL ${ours}: use the version of Tidings that created it, or move its data to a server of your own and set DATABASE_URL.`,
    )
  if (systemUser !== undefined && !(await canEnter(systemUser, data)))
    throw new EmbeddedError(
      `The user ${systemUser.name}, who owns the database in ${data}, cannot enter that folder: give that user permission to enter the folders above it (chmod o+x).`,
    )
}

interface NewCluster {
  path: string
  stagingDir: string
  systemUser: SystemUser | undefined
  binaries: Binaries
  log: Logger
}

/** Creates the database and returns the folder that contains it. */
async function create({
  path,
  stagingDir,
  systemUser,
  binaries,
  log,
}: NewCluster): Promise<string> {
  const init = (home: string) =>
    createAtomically(home, folderMode(), (folder) => initialize(folder, systemUser, binaries))
  if (systemUser === undefined || (await canEnter(systemUser, dirname(path)))) {
    await init(path)
  } else {
    await createParent(stagingDir)
    const home = join(stagingDir, await nameFor(path, stagingDir, log))
    await init(home)
    await linkTo(home, path)
    log.info(
      { data: await realpath(path) },
      `PostgreSQL does not run as root, and the user ${systemUser.name}, whom it runs as, cannot enter ${dirname(path)}: the data is in another folder`,
    )
  }
  return realpath(path)
}

// The name is new each time, so that a deleted DATA_DIR never leads to the old database again.
async function nameFor(path: string, stagingDir: string, log: Logger) {
  const prefix = `data-${new Bun.CryptoHasher('sha256').update(path).digest('hex').slice(0, 8)}-`
  const earlier = (await readdir(stagingDir)).filter((name) => name.startsWith(prefix))
  if (earlier.length > 0)
    log.warn(
      { folders: earlier.map((name) => join(stagingDir, name)) },
      'An earlier database of this data folder is still on the disk: delete it if nobody needs it',
    )
  return prefix + randomBytes(6).toString('hex')
}

async function linkTo(home: string, path: string) {
  try {
    await symlink(home, path)
  } catch (error) {
    await rm(home, { recursive: true, force: true })
    // Another process was faster; its database is used.
    if (codeOf(error) !== 'EEXIST') throw error
  }
}
