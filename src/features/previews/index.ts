export { previewEmailJob, sendPreviewEmail } from './email-job.ts'
export { purgePreviews } from './purge.ts'
export { emailsPerDay, sendPreview } from './send.ts'
