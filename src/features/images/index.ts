export { croppedAddress, hashInAddress, parseFileName } from './address.ts'
export { embedImages, inlineImages, withEmbeddedImages } from './embed.ts'
export { listFileNames } from './file-names.ts'
export {
  createImage,
  findImages,
  type Images,
  markSentImages,
} from './images.ts'
export { importImage, storeImage } from './import.ts'
export { loadImage } from './load.ts'
export { maxUploadBytes, processImage } from './process.ts'
export { purgeImages } from './purge/purge.ts'
export { ImageFetchError, readImageSource } from './read-source.ts'
export { s3Storage } from './storage/s3.ts'
export { folderStorage, type ImageStorage } from './storage/storage.ts'
