export { startMailer } from './mailer.ts'
export { mailsPerDay, sendPreview } from './previews.ts'
