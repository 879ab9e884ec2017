import { mkdir, open, rm } from 'node:fs/promises'
import { temporaryFolder } from '../../test/support/run/test-run.ts'

/** A data folder, on a small disk of its own where that is possible. */
export interface Disk {
  path: string
  /** Fills the disk; null when the folder has no disk of its own. */
  fill: (() => Promise<void>) | null
  /** Frees what `fill` took. */
  free(): Promise<void>
  remove(): Promise<void>
}

const run = async (...command: string[]) =>
  (await Bun.spawn(command, { stdout: 'ignore', stderr: 'ignore' }).exited) === 0

/** Creates the folder on a memory disk of 600 MB, which needs Linux and root; otherwise on the usual disk. */
export async function createDisk(): Promise<Disk> {
  const folder = await temporaryFolder('soak')
  const path = `${folder}/data`
  const ballast = `${folder}/ballast`
  const isMounted = await run('mount', '-t', 'tmpfs', '-o', 'size=600m,mode=755', 'tmpfs', folder)
  await mkdir(path)
  return {
    path,
    fill: isMounted ? () => writeUntilFull(ballast) : null,
    free: () => rm(ballast, { force: true }),
    async remove() {
      if (isMounted) await run('umount', '--lazy', folder)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function writeUntilFull(path: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    for (const bytes of [new Uint8Array(1_000_000), new Uint8Array(4_096), new Uint8Array(1)]) {
      const isWritten = () => file.write(bytes).then(({ bytesWritten }) => bytesWritten > 0)
      while (await isWritten().catch(() => false));
    }
  } finally {
    await file.close()
  }
}
