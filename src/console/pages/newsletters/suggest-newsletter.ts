import type { NewsletterCadence } from '../../../contract/vocabulary.ts'
import { daysAfter, utcDay } from '../../../lib/clock.ts'
import { localeOf } from '../../../locales/index.ts'
import { formatDate } from '../../components/dates/date-time.tsx'
import type { Translate } from '../../locales/index.ts'

/**
 * Suggests a title, a subject and a date for the next newsletter of a team, based on its cadence and the day
 * that it is for the person.
 */
export function suggestNewsletter(
  t: Translate,
  team: { name: string; newsletterCadence: NewsletterCadence },
  today: string,
): { title: string; subject_line: string; scheduled_date: string } {
  const locale = localeOf(t.language)
  const day = suggestDate(team.newsletterCadence, today)
  const month = new Intl.DateTimeFormat(locale, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  } as const).format(new Date(`${day}T00:00:00Z`))
  const monthly = team.newsletterCadence === 'monthly' || team.newsletterCadence === 'quarterly'
  const when = monthly ? month : formatDate({ locale }, day)
  // A subject has at most 255 characters, so a long team name is cut.
  const name = [...team.name].slice(0, 100).join('')
  const title = t('newsletters.news', { name, when })
  return {
    title,
    subject_line: title,
    scheduled_date: day,
  }
}

/** The next Friday for a weekly cadence, the last weekday of the month for a rarer one, otherwise today. */
function suggestDate(cadence: NewsletterCadence, today: string): string {
  if (cadence === 'ad_hoc') return today
  const at = new Date(today)
  if (cadence === 'weekly' || cadence === 'biweekly') {
    return daysAfter(today, (5 - at.getUTCDay() + 7) % 7)
  }
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0))
  const weekend = Math.max(((last.getUTCDay() + 6) % 7) - 4, 0)
  const weekday = daysAfter(utcDay(last), -weekend)
  return weekday < today ? today : weekday
}
