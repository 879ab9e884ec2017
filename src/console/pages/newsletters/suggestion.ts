import type { NewsletterCadence } from '../../../contract/vocabulary.ts'
import { utcDay } from '../../../lib/clock.ts'
import { dayWords } from './words.ts'

/** A title, a subject and a day for a team's next issue, by how often it has one. */
export function suggestNewsletter(
  team: { name: string; newsletterCadence: NewsletterCadence },
  at: Date,
): { title: string; subject_line: string; scheduled_date: string } {
  const day = dayFor(team.newsletterCadence, at)
  const month = new Intl.DateTimeFormat('en-GB', {
    ...{ month: 'long', year: 'numeric', timeZone: 'UTC' },
  } as const).format(new Date(`${day}T00:00:00Z`))
  const monthly = team.newsletterCadence === 'monthly' || team.newsletterCadence === 'quarterly'
  const when = monthly ? month : dayWords(day)
  // A subject is one line of at most 255 characters, whatever the team is called.
  const name = [...team.name].slice(0, 100).join('')
  return {
    title: `${name} news, ${when}`,
    subject_line: `${name} news, ${when}`,
    scheduled_date: day,
  }
}

const dayMs = 24 * 60 * 60 * 1000

/** The next Friday; for rarer issues the last weekday of the month; today without a cadence. */
function dayFor(cadence: NewsletterCadence, at: Date): string {
  if (cadence === 'ad_hoc') return utcDay(at)
  if (cadence === 'weekly' || cadence === 'biweekly') {
    const friday = (5 - at.getUTCDay() + 7) % 7
    return utcDay(new Date(at.getTime() + friday * dayMs))
  }
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0))
  const weekend = Math.max(((last.getUTCDay() + 6) % 7) - 4, 0)
  const weekday = new Date(last.getTime() - weekend * dayMs)
  return weekday < at ? utcDay(at) : utcDay(weekday)
}
