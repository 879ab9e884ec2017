import type { PlanEmails } from '../../features/newsletter-schedules/index.ts'
import { localeOf } from '../../locales/index.ts'
import { formatDate } from '../components/dates/date-time.tsx'
import { notificationEmail } from './notification-emails.ts'

/** The emails about planned newsletters, with links to the console. */
export const planEmails = (baseUrl: string): PlanEmails => ({
  prepared: (recipient, { id, title, date, blocks }) =>
    notificationEmail(recipient, baseUrl, (t) => ({
      subject: t('email.prepared_subject', { title }),
      lines: [
        t('email.prepared', {
          date: formatDate({ locale: localeOf(t.language) }, date),
          count: blocks,
        }),
      ],
      button: t('email.open_the_newsletter'),
      link: `${baseUrl}/newsletters/${id}`,
    })),
  reminder: (recipient, { id, title, date }) =>
    notificationEmail(recipient, baseUrl, (t) => {
      const day = formatDate({ locale: localeOf(t.language) }, date)
      return {
        subject: t('email.reminder_subject', { title, date: day }),
        lines: [t('email.reminder', { title, date: day })],
        button: t('email.open_the_newsletter'),
        link: `${baseUrl}/newsletters/${id}`,
      }
    }),
})
