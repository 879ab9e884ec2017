export { purgePreviews } from './purge.ts'
export { previewEmailQueue } from './queue.ts'
export { emailsPerDay, sendPreview } from './send.ts'
