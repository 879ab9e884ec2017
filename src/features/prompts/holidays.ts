import { invalidField } from '../../lib/errors.ts'

/** Regions whose holidays do not apply to most people who work there. */
const typesOfHolidays = new Set(['public', 'bank'])

// The data of all countries takes about 40 MB of memory, so it is loaded when a team has chosen a country.
const load = async () => (await import('date-holidays')).default

/** Whole days on which people of a region do not work, with their names in a language, by day. */
export async function holidaysOf(
  region: string,
  years: readonly number[],
  language: string,
): Promise<ReadonlyMap<string, string>> {
  const Holidays = await load()
  const [country = '', ...rest] = region.split('-')
  const [state] = rest
  const calendar = state === undefined ? new Holidays(country) : new Holidays(country, state)
  const days = years.flatMap((year) => calendar.getHolidays(year, language))
  const isWholeDay = ({ date, type }: { date: string; type: string }) =>
    typesOfHolidays.has(type) && date.slice(11, 16) === '00:00'
  return new Map(days.filter(isWholeDay).map(({ date, name }) => [date.slice(0, 10), name]))
}

/** The codes of countries with known holidays (ISO 3166). */
export async function holidayCountries(): Promise<string[]> {
  const Holidays = await load()
  return Object.keys(new Holidays().getCountries('en'))
}

/** Throws `validation_failed` unless the holidays of the region are known. */
export async function requireHolidayRegion(region: string): Promise<void> {
  const Holidays = await load()
  const [country = '', state, ...rest] = region.split('-')
  const calendar = new Holidays()
  if (!Object.hasOwn(calendar.getCountries('en'), country))
    throw invalidField('/holiday_country', 'country must be one of the list')
  if (state === undefined) return
  const states = Object.keys(calendar.getStates(country, 'en') ?? {})
  if (states.includes(state) && rest.length === 0) return
  const known = states.length > 0 ? `must be one of ${states.join(', ')}` : 'must be empty here'
  throw invalidField('/holiday_state', `state ${known}`)
}
