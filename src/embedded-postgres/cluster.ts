import { randomBytes } from 'node:crypto'
import { lstat, readdir, realpath, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import * as v from 'valibot'
import { type Account, accountForNew, accountOf, canEnter } from './account.ts'
import { closedMode, createAtomically, createParent } from './atomic-dir.ts'
import { type Binaries, usableBinaries } from './binaries.ts'
import { codeOf, EmbeddedError, friendlyError, isFriendlyError } from './failure.ts'
import { Access, initialize } from './initialize.ts'
import { socketFolder } from './socket.ts'

/** How to connect; `host` is the folder of the socket, as both `postgres` and `pg` take it. */
export interface Connection {
  host: string
  port: number
  database: string
  username: string
  password: string
}

/** A database on disk, with all it takes to start it. */
export interface Cluster {
  /** PostgreSQL's own data directory. */
  data: string
  logFile: string
  account: Account | undefined
  binaries: Binaries
  connection: Connection
}

/**
 * Finds the database of a data folder, or makes one: `<dataDir>/postgres`, which is a link to a
 * folder in `stagingDir` where root keeps `dataDir` closed to other users.
 * Throws a sentence when it cannot be used.
 */
export async function openCluster(
  dataDir: string,
  stagingDir: string,
  log: Logger,
): Promise<Cluster> {
  return isFriendlyError(dataDir, async () => {
    await createParent(dataDir)
    const place = join(await realpath(dataDir), 'postgres')
    const existing = await homeAt(place)
    const account = existing ? await accountOf(join(existing, 'data')) : await accountForNew()
    // Says so where root may not switch users, as in some containers.
    if (account !== undefined) await canEnter(account, '/')
    const binaries = await usableBinaries(account, stagingDir)
    const home = existing ?? (await create({ place, stagingDir, account, binaries, log }))
    await checkUsable(home, account, binaries)
    const { port, password } = await loadAccess(home)
    return {
      data: join(home, 'data'),
      logFile: join(home, 'postgres.log'),
      account,
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

/** The folder behind `<dataDir>/postgres`, or undefined when there is nothing of that name. */
async function homeAt(place: string): Promise<string | undefined> {
  try {
    await lstat(place)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    const home = await realpath(place)
    await stat(join(home, 'data'))
    return home
  } catch (error) {
    // Starting with an empty database here could hide that a disk is not mounted.
    if (codeOf(error) !== 'ENOENT') throw error
    throw new EmbeddedError(
      `There is no database behind ${place}: bring it back, or move ${place} away to start with an empty one.`,
    )
  }
}

/** How to log in, from `access.json`. Throws a sentence when the file is missing or damaged. */
async function loadAccess(home: string): Promise<v.InferOutput<typeof Access>> {
  const path = join(home, 'access.json')
  const file = await Bun.file(path)
    .json()
    .catch((error: unknown) => {
      throw friendlyError(error, path) ?? damaged(path, error)
    })
  const access = v.safeParse(Access, file)
  if (!access.success) throw damaged(path)
  return access.output
}

const damaged = (path: string, cause?: unknown) =>
  new EmbeddedError(
    `The file ${path} is missing or damaged: restore it from a backup, or move the folder around it away to start with an empty database.`,
    { cause },
  )

async function checkUsable(home: string, account: Account | undefined, binaries: Binaries) {
  const data = join(home, 'data')
  const versionFile = join(data, 'PG_VERSION')
  const text = await Bun.file(versionFile)
    .text()
    .catch((error: unknown) => {
      throw friendlyError(error, versionFile) ?? damaged(versionFile, error)
    })
  const made = text.trim()
  if (made === '') throw damaged(versionFile)
  const ours = binaries.version.split('.')[0]
  if (made !== ours)
    throw new EmbeddedError(
      `The database in ${data} was made by PostgreSQL ${made}, and this Tidings brings PostgreSQL ${ours}: use the Tidings that made it, or move its data to a server of your own and set DATABASE_URL.`,
    )
  if (account !== undefined && !(await canEnter(account, data)))
    throw new EmbeddedError(
      `The user ${account.name}, who owns the database in ${data}, cannot enter that folder: let that user pass through the folders above it.`,
    )
}

interface NewCluster {
  place: string
  stagingDir: string
  account: Account | undefined
  binaries: Binaries
  log: Logger
}

/** Creates the database and returns the folder that contains it. */
async function create({ place, stagingDir, account, binaries, log }: NewCluster): Promise<string> {
  const init = (home: string) =>
    createAtomically(home, closedMode(), (draft) => initialize(draft, account, binaries))
  if (account === undefined || (await canEnter(account, dirname(place)))) {
    await init(place)
  } else {
    await createParent(stagingDir)
    const home = join(stagingDir, await nameFor(place, stagingDir, log))
    await init(home)
    await linkTo(home, place)
    log.info(
      { data: await realpath(place) },
      `PostgreSQL does not run as root, and the user ${account.name}, whom it runs as, cannot enter ${dirname(place)}: the data is kept elsewhere`,
    )
  }
  return realpath(place)
}

// Never the same name twice: whoever deletes DATA_DIR must not meet the old database again.
async function nameFor(place: string, stagingDir: string, log: Logger) {
  const prefix = `data-${new Bun.CryptoHasher('sha256').update(place).digest('hex').slice(0, 8)}-`
  const earlier = (await readdir(stagingDir)).filter((name) => name.startsWith(prefix))
  if (earlier.length > 0)
    log.warn(
      { folders: earlier.map((name) => join(stagingDir, name)) },
      'An earlier database of this data folder is still on the disk: remove it if nobody needs it',
    )
  return prefix + randomBytes(6).toString('hex')
}

async function linkTo(home: string, place: string) {
  try {
    await symlink(home, place)
  } catch (error) {
    await rm(home, { recursive: true, force: true })
    // Somebody else was faster: theirs it is.
    if (codeOf(error) !== 'EEXIST') throw error
  }
}
