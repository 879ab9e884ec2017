export { emailsPerDay, sendPreview } from './previews.ts'
export { purgePreviews } from './purge.ts'
export { previewEmailQueue } from './queue.ts'
