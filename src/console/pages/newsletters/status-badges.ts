import type { NewsletterStatus } from '../../../contract/vocabulary.ts'

/** The labels of the newsletter statuses and the colors of their badges. */
export const newsletterStatusBadges = {
  draft: { title: 'Draft', tone: '' },
  in_progress: { title: 'In progress', tone: 'accent' },
  ready: { title: 'Ready', tone: 'success' },
  sent: { title: 'Sent', tone: '' },
} as const satisfies Record<NewsletterStatus, { title: string; tone: string }>
