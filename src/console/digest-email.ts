import type { DigestEmail } from '../features/draft-digests/index.ts'
import { notificationEmail } from './notification-emails.ts'

/** The email with the new drafts of a team, with a link to the library. */
export const digestEmail =
  (baseUrl: string): DigestEmail =>
  (recipient, { drafts, count }) =>
    notificationEmail(recipient, baseUrl, (t) => {
      const titles = drafts.map(({ title, author }) =>
        author === null ? `• ${title}` : `• ${title} (${author})`,
      )
      const rest = count - drafts.length
      const more = rest > 0 ? [t('email.digest_more', { count: rest })] : []
      return {
        subject: t('email.digest_subject', { count, team: recipient.team_name }),
        lines: [t('email.digest', { count }), [...titles, ...more].join('\n')],
        link: `${baseUrl}/library?status=draft`,
      }
    })
