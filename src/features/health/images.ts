import { withDeadline } from '../../lib/database/db.ts'
import type { ImageStorage } from '../images/index.ts'
import type { HealthCheckContext } from './context.ts'
import { type Finding, failing, ok } from './finding.ts'

const check = 'Images'
const probeName = 'tidings-write-test'
const responseTimeoutMs = 5_000

/** Whether the bucket of images can be written; nothing when they are in a folder, whose disk is checked. */
export async function checkImages({ settings }: HealthCheckContext): Promise<Finding[]> {
  const { imageBucket } = settings
  if (imageBucket === null) return []
  try {
    await withDeadline(writeProbe(imageBucket), responseTimeoutMs)
    return [ok(check, 'The bucket of images can be written.')]
  } catch {
    const action =
      'Check MEDIA_S3_BUCKET, MEDIA_S3_ENDPOINT, MEDIA_S3_REGION and the credentials, and whether the store works.'
    return [failing(check, 'The bucket of images cannot be written.', action)]
  }
}

async function writeProbe(bucket: ImageStorage): Promise<void> {
  await bucket.write(probeName, Buffer.from('test'), 'text/plain')
  await bucket.delete(probeName)
}
