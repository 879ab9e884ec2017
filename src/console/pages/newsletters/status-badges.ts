import type { NewsletterStatus } from '../../../contract/vocabulary.ts'
import type { TextKey } from '../../locales/index.ts'

/** The labels of the newsletter statuses and the colors of their badges. */
export const newsletterStatusBadges = {
  draft: { title: 'common.draft', tone: '' },
  in_progress: { title: 'newsletters.in_progress', tone: 'accent' },
  ready: { title: 'common.ready', tone: 'success' },
  sent: { title: 'common.sent', tone: '' },
} as const satisfies Record<NewsletterStatus, { title: TextKey; tone: string }>
