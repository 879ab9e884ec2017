import { S3Client } from 'bun'
import type { ImageStorage } from './storage.ts'

/** A bucket of any S3-compatible store. */
export interface S3Settings {
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** The address of the store; null: Amazon's. */
  endpoint: string | null
  region: string | null
}

const folder = 'media/'
const filesPerPage = 1000

/** Images in a bucket, below `media/`. The bucket need not be public: the service serves the images. */
export function s3Storage({ endpoint, region, ...settings }: S3Settings): ImageStorage {
  const client = new S3Client({
    ...settings,
    ...(endpoint && { endpoint }),
    ...(region && { region }),
  })
  return {
    async write(name, bytes, contentType) {
      await client.write(folder + name, bytes, { type: contentType })
    },
    async read(name) {
      try {
        return new Uint8Array(await client.file(folder + name).arrayBuffer())
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    delete: (name) => client.delete(folder + name),
    async *list() {
      let startAfter: string | undefined
      do {
        const page = await client.list({
          prefix: folder,
          maxKeys: filesPerPage,
          ...(startAfter !== undefined && { startAfter }),
        })
        const files = page.contents ?? []
        for (const { key, lastModified } of files) {
          yield { name: key.slice(folder.length), modifiedAt: new Date(lastModified ?? Date.now()) }
        }
        startAfter = page.isTruncated ? files.at(-1)?.key : undefined
      } while (startAfter !== undefined)
    },
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'NoSuchKey'
