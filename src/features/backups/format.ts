/**
 * A backup is one gzip file of lines. The first two name the format and describe the backup, then each
 * table follows as PostgreSQL's COPY writes it, then the jobs that wait, the files of images, and the number of
 * rows of each. A backup of format 1 contains no files.
 *
 *     tidings backup 2
 *     {"version":"0.1.0","migration":18,…}
 *     table {"name":"teams","columns":["id","name"]}
 *     0198…	Northwind
 *     \.
 *     jobs
 *     {"queue":"forward","job":{…}}
 *     \.
 *     files
 *     1f9c….jpg	/9j/4AAQ…
 *     \.
 *     end {"teams":1,"jobs":1,"files":1}
 */
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import * as v from 'valibot'
import { codeOf } from '../../lib/errors.ts'

export const firstLine = 'tidings backup 2'
const readableFormats = ['tidings backup 1', firstLine]
/** Ends a table. COPY escapes backslashes, so no row is this line. */
export const endOfRows = '\\.'

/** Describes a backup. */
export const Header = v.object({
  version: v.string(),
  migration: v.number(),
  created_at: v.string(),
  /** The installation's secret, encrypted with the passphrase; null when it is not in the backup. */
  secret: v.nullable(v.object({ salt: v.string(), encrypted: v.string() })),
  queues: v.array(v.object({ name: v.string(), policy: v.string(), partition: v.boolean() })),
})
export type Header = v.InferOutput<typeof Header>

export const TableLine = v.object({ name: v.string(), columns: v.array(v.string()) })

/** The rows of each table, under `jobs` the number of jobs and under `files` that of images. */
export const RowCounts = v.record(v.string(), v.number())
export type RowCounts = v.InferOutput<typeof RowCounts>

/** A backup that cannot be used. The message is a sentence for the person who restores it. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** The error for a backup that is incomplete or damaged. */
export const damaged = (path: string, cause?: unknown) =>
  new BackupError(`The backup ${path} is incomplete or damaged: restore another one.`, { cause })

/** The lines of a backup, without their ends. Throws `BackupError` when the file cannot be read. */
export async function* readLines(path: string): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  try {
    for await (const chunk of pipeline(createReadStream(path), createGunzip(), () => {})) {
      const bytes = Buffer.concat([rest, chunk])
      let start = 0
      for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
        yield bytes.subarray(start, end)
        start = end + 1
      }
      rest = bytes.subarray(start)
    }
  } catch (error) {
    throw unreadable(path, error)
  }
}

function unreadable(path: string, error: unknown): BackupError {
  const code = codeOf(error)
  if (code === 'ENOENT') return new BackupError(`There is no file ${path}.`, { cause: error })
  if (code === 'EACCES')
    return new BackupError(
      `The file ${path} cannot be read: give the user who runs Tidings permission to read it.`,
    )
  return damaged(path, error)
}

/** The header of a backup. Throws `BackupError`. */
export async function readHeader(path: string): Promise<Header> {
  const lines = readLines(path)
  const { value: format } = await lines.next()
  if (!readableFormats.includes(format?.toString() ?? '')) {
    throw new BackupError(`The file ${path} is not a backup that this version of Tidings can read.`)
  }
  const { value: line } = await lines.next()
  await lines.return(undefined)
  return parseJson(Header, line?.toString() ?? '', path)
}

/** JSON of a schema. Throws `BackupError`. */
export function parseJson<Schema extends v.GenericSchema>(
  schema: Schema,
  json: string,
  path: string,
): v.InferOutput<Schema> {
  try {
    return v.parse(schema, JSON.parse(json))
  } catch (error) {
    throw damaged(path, error)
  }
}
