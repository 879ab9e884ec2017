export { previewEmailJob, sendPreviewEmail } from './email-job.ts'
export {
  createPreviewLink,
  openPreviewLink,
  previewLinkHours,
  purgePreviewLinks,
} from './links.ts'
export { purgePreviews } from './purge.ts'
export { emailsPerDay, requireMemberAddresses, sendPreview } from './send.ts'
export type { UndeliveredEmail } from './sql.ts'
export { listUndelivered } from './undelivered.ts'
