export { emailsPerDay, sendPreview } from './previews.ts'
export { previewEmailQueue } from './queue.ts'
