import { dirname, resolve } from 'node:path'
import { codeOf } from '../../lib/errors.ts'
import { BackupError } from './format.ts'

/** Throws an error of the file system as a sentence about the folder of a backup that a person has named, and any other error as it is. */
export function fileError(path: string, cause: unknown): never {
  const folder = dirname(resolve(path))
  const code = codeOf(cause)
  if (code === 'ENOENT') {
    throw new BackupError(`The folder ${folder} does not exist: create it, or name another one.`, {
      cause,
    })
  }
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const action = 'free some space there, or name another folder'
    throw new BackupError(`The disk of ${folder} is full: ${action}.`, { cause })
  }
  if (!/^E[A-Z]+$/.test(code)) throw cause
  const action = 'allow the user of this command to write there, or name another folder'
  throw new BackupError(`The folder ${folder} cannot be written (${code}): ${action}.`, { cause })
}

/** Throws an error of the file system as a sentence without paths, and any other error as it is. */
export function folderError(cause: unknown): never {
  const code = codeOf(cause)
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    throw new BackupError('The disk of BACKUP_TO is full: free some space there.', { cause })
  }
  if (!/^E[A-Z]+$/.test(code)) throw cause
  const action = 'allow the user of the service to write there, or correct BACKUP_TO'
  throw new BackupError(`The folder in BACKUP_TO cannot be used (${code}): ${action}.`, { cause })
}

const refusals = ['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'AccessDenied']

/** Throws an error of an S3-compatible store as a sentence without addresses. */
export function storeError(cause: unknown): never {
  const code = codeOf(cause)
  if (refusals.includes(code)) {
    const action = 'correct BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY'
    throw new BackupError(`The store of BACKUP_TO refused the request (${code}): ${action}.`, {
      cause,
    })
  }
  if (code === 'NoSuchBucket') {
    throw new BackupError('The bucket in BACKUP_TO does not exist: create it.', { cause })
  }
  const action = 'check BACKUP_S3_ENDPOINT, and that the store works'
  throw new BackupError(`The store of BACKUP_TO failed (${code || 'unknown error'}): ${action}.`, {
    cause,
  })
}
