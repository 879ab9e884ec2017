import type { Tx } from '../../lib/database/db.ts'
import { fileNameOf } from './address.ts'
import { selectFiles } from './sql.ts'

/** The names of the files of all images of all teams, each once. */
export async function listFileNames(tx: Tx): Promise<string[]> {
  return (await selectFiles(tx)).map(fileNameOf)
}
