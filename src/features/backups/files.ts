import type { Tx } from '../../lib/database/db.ts'
import { type ImageStorage, listFileNames, parseFileName } from '../images/index.ts'
import { damaged } from './format.ts'

interface WritingFiles {
  storage: ImageStorage
  /** Is called with the name of a file that the database knows and the storage does not contain. */
  onMissingFile(name: string): void
}

/** A line for each file of an image in the snapshot: its name and its content in base64. */
export async function* fileLines(
  tx: Tx,
  { storage, onMissingFile }: WritingFiles,
  counted: (files: number) => void,
): AsyncGenerator<string> {
  let count = 0
  for (const name of await listFileNames(tx)) {
    const bytes = await storage.read(name)
    if (bytes === null) onMissingFile(name)
    else {
      count++
      yield `${name}\t${Buffer.from(bytes).toString('base64')}\n`
    }
  }
  counted(count)
}

/** Stores the file of a line. Throws `BackupError` for a line that is none. */
export async function restoreFile(
  storage: ImageStorage,
  line: Buffer,
  path: string,
): Promise<void> {
  const [name = '', content = ''] = line.toString('latin1').split('\t')
  const known = parseFileName(name)
  if (known === null || content === '') throw damaged(path)
  await storage.write(name, Buffer.from(content, 'base64'), known.contentType)
}
