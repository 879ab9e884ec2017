import { chown, lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './account.ts'
import { codeOf, EmbeddedError } from './failure.ts'

// What `sockaddr_un` holds without the closing NUL (Linux 108 bytes, macOS 104).
const maxPathBytes = process.platform === 'linux' ? 107 : 103

/**
 * The folder of a database's socket: inside `home`, or a short one in /tmp when that path is too
 * long or has a comma, at which postgres.js would split it.
 */
export function socketFolder(home: string): string {
  const inside = join(home, 'socket')
  const bytes = Buffer.byteLength(join(inside, '.s.PGSQL.65535'))
  if (bytes <= maxPathBytes && !inside.includes(',')) return inside
  return `/tmp/tidings-${new Bun.CryptoHasher('sha256').update(home).digest('hex').slice(0, 16)}`
}

/** Makes the socket's folder for the account alone; throws a sentence if somebody else has one there. */
export async function makeSocketFolder(folder: string, account: Account | undefined) {
  try {
    await mkdir(folder, { mode: 0o700 })
    if (account !== undefined) await chown(folder, account.uid, account.gid)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  const { uid, mode } = await lstat(folder)
  const owner = account?.uid ?? process.getuid?.()
  if (uid !== owner || (mode & 0o777) !== 0o700)
    throw new EmbeddedError(
      `${folder} should be a folder of the database's own and belongs to someone else: remove it, or set DATA_DIR to a shorter path.`,
    )
}
