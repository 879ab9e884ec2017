import { chown, lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, EmbeddedError } from './failure.ts'
import type { SystemUser } from './system-user.ts'

// The maximum length of a path in `sockaddr_un` without the closing NUL (Linux 108 bytes, macOS
// 104).
const maxPathBytes = process.platform === 'linux' ? 107 : 103

/**
 * The folder of a database's socket: inside `home`, or a short one in /tmp when that path is too
 * long or contains a comma, at which postgres.js splits it.
 */
export function socketFolder(home: string): string {
  const inside = join(home, 'socket')
  const bytes = Buffer.byteLength(join(inside, '.s.PGSQL.65535'))
  if (bytes <= maxPathBytes && !inside.includes(',')) return inside
  return `/tmp/tidings-${new Bun.CryptoHasher('sha256').update(home).digest('hex').slice(0, 16)}`
}

/**
 * Creates the socket's folder, which only the user can enter. Throws `EmbeddedError` when the
 * folder belongs to another user.
 */
export async function createSocketFolder(folder: string, systemUser: SystemUser | undefined) {
  try {
    await mkdir(folder, { mode: 0o700 })
    if (systemUser !== undefined) await chown(folder, systemUser.uid, systemUser.gid)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  const { uid, mode } = await lstat(folder)
  const owner = systemUser?.uid ?? process.getuid?.()
  if (uid !== owner || (mode & 0o777) !== 0o700)
    throw new EmbeddedError(
      `${folder} should belong to the database and belongs to another user: delete it, or set DATA_DIR to a shorter path.`,
    )
}
