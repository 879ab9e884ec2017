import type { Composed } from '../kit/adapter.ts'
import type { Language } from '../kit/messages/index.ts'
import { buildNewStarterItem } from '../kit/people.ts'
import type { GreenhouseEvent, Hire, Withdrawal } from './event.ts'

/** Why a hire makes no news, naming nothing of it; `undefined` when it does. */
export function ignoreReason({ application }: Hire): string | undefined {
  if (application.is_private || application.candidate.is_private) return 'the candidate is private'
  if (application.jobs.some(({ confidential }) => confidential)) return 'the job is confidential'
  return undefined
}

/** Why there is nothing to take back. */
export const noItemReason = ({ applications }: Withdrawal) =>
  applications.length === 0 ? 'no application went with it' : undefined

/** The block a hire becomes, or the blocks that are to be taken back. */
export function compose(event: GreenhouseEvent, language: Language): Composed {
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
    language,
  )
  // Whoever accepts a new version of the offer is hired once more, with another first day.
  return { kind: 'items', items: [item], replace: true }
}

const externalId = (application: number) => `greenhouse:application:${application}`
