export { startMailer } from './mailer.ts'
export { sendPreview } from './previews.ts'
