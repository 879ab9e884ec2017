import type { Language } from '../../src/contract/vocabulary.ts'
import type { Composed } from '../kit/composed.ts'
import { buildNewStarterItem } from '../kit/people.ts'
import type { GreenhouseEvent, Hire, Withdrawal } from './event.ts'

/** Why a hire makes no item, without private data; `undefined` when it makes one. */
export function ignoreReason({ application }: Hire): string | undefined {
  if (application.is_private || application.candidate.is_private) return 'the candidate is private'
  if (application.jobs.some(({ confidential }) => confidential)) return 'the job is confidential'
  return undefined
}

/** Why a withdrawal has no effect; `undefined` when it has one. */
export const noItemReason = ({ applications }: Withdrawal) =>
  applications.length === 0 ? 'it names no application' : undefined

/** The item of a hire, or the blocks that are withdrawn. */
export function compose(
  event: GreenhouseEvent,
  words: { language: Language; now: Date },
): Composed {
  if (event.kind === 'withdrawn')
    return { kind: 'withdraw', externalIds: event.applications.map(externalId) }
  const { id, candidate, jobs, offer } = event.application
  const [job] = jobs
  const item = buildNewStarterItem(
    externalId(id),
    {
      firstName: candidate.first_name,
      lastName: candidate.last_name,
      jobTitle: job?.name,
      departments: job?.departments.map(({ name }) => name) ?? [],
      locations: job?.offices.map(({ name }) => name) ?? [],
      startDate: offer?.starts_at,
    },
    words,
  )
  // A person who accepts a new version of the offer is hired again, with another first day.
  return { kind: 'items', items: [item], updateExisting: true }
}

const externalId = (application: number) => `greenhouse:application:${application}`
