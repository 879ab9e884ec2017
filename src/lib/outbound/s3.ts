import { S3Client } from 'bun'

/** A bucket of any S3-compatible store. */
export interface S3Settings {
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** The address of the store; null: Amazon's. */
  endpoint: string | null
  region: string | null
}

/** A client of the bucket. It connects when it is used. */
export const connectToBucket = ({ endpoint, region, ...settings }: S3Settings): S3Client =>
  new S3Client({ ...settings, ...(endpoint && { endpoint }), ...(region && { region }) })

export interface S3Object {
  key: string
  modifiedAt: Date
}

// What S3 returns at most (ListObjectsV2).
const objectsPerPage = 1000

/** All objects of a bucket below `prefix`, in the order of their keys, however many there are. */
export async function* listObjects(client: S3Client, prefix: string): AsyncGenerator<S3Object> {
  let startAfter: string | undefined
  do {
    const page = await client.list({
      prefix,
      maxKeys: objectsPerPage,
      ...(startAfter !== undefined && { startAfter }),
    })
    const objects = page.contents ?? []
    for (const { key, lastModified } of objects) {
      yield { key, modifiedAt: new Date(lastModified ?? Date.now()) }
    }
    startAfter = page.isTruncated ? objects.at(-1)?.key : undefined
  } while (startAfter !== undefined)
}
