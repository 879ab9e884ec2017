export { mailsPerDay, sendPreview } from './previews.ts'
export { previewMails } from './queue.ts'
