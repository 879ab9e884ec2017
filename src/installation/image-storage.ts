import { join } from 'node:path'
import type { Config } from '../config/index.ts'
import { folderStorage, type ImageStorage, s3Storage } from '../features/images/index.ts'

/** The storage of image files that the configuration selects. */
export const imageStorageOf = ({ mediaS3, dataDir }: Config): ImageStorage =>
  mediaS3 ? s3Storage(mediaS3) : folderStorage(join(dataDir, 'media'))
