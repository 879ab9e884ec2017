import type { IngestPayload } from '../../src/contract/ingest.ts'
import { oneLine } from './text.ts'

type Told = string | null | undefined

/** All that may be told of a new colleague; what is missing is left out. */
export interface NewStarter {
  firstName: Told
  lastName: Told
  jobTitle: Told
  departments: readonly Told[]
  /** Offices, never where somebody lives. */
  locations: readonly Told[]
  /** The first day, `YYYY-MM-DD`. */
  startDate: Told
}

/**
 * The block that welcomes a new colleague, held back until the first day (from 00:00 UTC). It is
 * always a draft, whatever its connection says: a person looks at it before it goes out.
 */
export function buildNewStarterItem(externalId: string, starter: NewStarter): IngestPayload {
  const name = inOneLine([starter.firstName, starter.lastName], ' ') || 'A new colleague'
  const jobTitle = inOneLine([starter.jobTitle], ' ')
  const joins = `${name} joins ${jobTitle === '' ? 'the team' : `as ${jobTitle}`}`
  const startDate = calendarDate(starter.startDate)
  const facts = [
    fact('Department', inOneLine(starter.departments, ', ')),
    fact('Location', inOneLine(starter.locations, ', ')),
    fact('First day', startDate === undefined ? '' : spelledOut(startDate)),
  ].filter((line) => line !== '')
  return {
    title: oneLine(joins),
    body: [
      `<p>${Bun.escapeHTML(`${joins}.`)}</p>`,
      ...(facts.length > 0 ? [`<ul>\n${facts.join('\n')}\n</ul>`] : []),
    ].join('\n'),
    block_type: 'new_starter',
    auto_ready: false,
    external_id: externalId,
    publish_after: startDate === undefined ? undefined : `${startDate}T00:00:00Z`,
  }
}

const inOneLine = (parts: readonly Told[], separator: string) =>
  oneLine(
    parts
      .map((part) => oneLine(part ?? ''))
      .filter((part) => part !== '')
      .join(separator),
  )

const fact = (name: string, value: string) =>
  value === '' ? '' : `<li>${name}: ${Bun.escapeHTML(value)}</li>`

/** A real day as `YYYY-MM-DD`, a time of day cut off; HR systems write `0000-00-00` for none. */
function calendarDate(text: Told): string | undefined {
  const day = /^\d{4}-\d{2}-\d{2}(?=T|$)/.exec(text ?? '')?.[0] ?? ''
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) ? day : undefined
}

const longDate = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

const spelledOut = (day: string) => longDate.format(new Date(`${day}T00:00:00Z`))
