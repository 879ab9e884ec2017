import type { DigestEmail } from '../../features/draft-digests/index.ts'
import { notificationEmail } from './notification-emails.ts'

/** The email with the new drafts of a team, with a link to each and to the library. */
export const digestEmail =
  (baseUrl: string): DigestEmail =>
  (recipient, { drafts, count }) =>
    notificationEmail(recipient, baseUrl, (t) => {
      const rest = count - drafts.length
      return {
        subject: t('email.digest_subject', { count, team: recipient.team_name }),
        lines: [t('email.digest', { count })],
        items: drafts.map(({ id, title, author }) => ({
          title,
          detail: author,
          url: `${baseUrl}/library/${id}`,
        })),
        rest: rest > 0 ? t('email.digest_more', { count: rest }) : null,
        button: t('email.review_the_drafts'),
        link: `${baseUrl}/library?status=draft`,
      }
    })
