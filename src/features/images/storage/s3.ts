import { codeOf } from '../../../lib/errors.ts'
import { connectToBucket, listObjects, type S3Settings } from '../../../lib/outbound/s3.ts'
import type { ImageStorage } from './storage.ts'

const folder = 'media/'

/** Images in a bucket, below `media/`. The bucket need not be public: the service serves the images. */
export function s3Storage(settings: S3Settings): ImageStorage {
  const client = connectToBucket(settings)
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
      for await (const { key, modifiedAt } of listObjects(client, folder)) {
        yield { name: key.slice(folder.length), modifiedAt }
      }
    },
  }
}

const isMissing = (error: unknown): boolean => codeOf(error) === 'NoSuchKey'
