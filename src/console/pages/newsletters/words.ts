import type { NewsletterStatus } from '../../../contract/vocabulary.ts'

/** States of newsletters as people read them, with the look of their badge. */
export const newsletterStatusLooks = {
  draft: { title: 'Draft', tone: '' },
  in_progress: { title: 'In progress', tone: 'accent' },
  ready: { title: 'Ready', tone: 'good' },
  sent: { title: 'Sent', tone: '' },
} as const satisfies Record<NewsletterStatus, { title: string; tone: string }>

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** A `YYYY-MM-DD` as people read it. */
export const dayWords = (day: string) => dayFormat.format(new Date(`${day}T00:00:00Z`))

/** A sentence whose moments are as people read them. */
export function plainTimes(sentence: string): string {
  return sentence.replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, (moment) => {
    return `${dayWords(moment.slice(0, 10))}, ${moment.slice(11, 16)} UTC`
  })
}
