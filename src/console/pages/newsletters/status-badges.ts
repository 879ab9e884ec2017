import type { NewsletterStatus } from '../../../contract/vocabulary.ts'

/** The labels of the newsletter statuses and the colors of their badges. */
export const newsletterStatusBadges = {
  draft: { title: 'Draft', tone: '' },
  in_progress: { title: 'In progress', tone: 'accent' },
  ready: { title: 'Ready', tone: 'success' },
  sent: { title: 'Sent', tone: '' },
} as const satisfies Record<NewsletterStatus, { title: string; tone: string }>

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** Formats a date, `YYYY-MM-DD`. */
export const dayWords = (day: string) => dayFormat.format(new Date(`${day}T00:00:00Z`))

/** Replaces ISO timestamps in a sentence by readable ones in UTC. */
export function formatTimestamps(sentence: string): string {
  return sentence.replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, (moment) => {
    return `${dayWords(moment.slice(0, 10))}, ${moment.slice(11, 16)} UTC`
  })
}
