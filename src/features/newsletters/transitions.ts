import type { NewsletterStatus } from '../../contract/vocabulary.ts'
import { AppError, notFound } from '../../lib/errors.ts'
import type { NewsletterBlockRow } from './blocks-sql.ts'
import type { NewsletterRow } from './sql.ts'

const transitions: Record<NewsletterStatus, readonly NewsletterStatus[]> = {
  draft: ['in_progress'],
  in_progress: ['draft', 'ready'],
  ready: ['in_progress', 'sent'],
  sent: [],
}

interface Blocker {
  code: 'missing' | 'embargoed'
  message: string
}

type Details = Pick<NewsletterRow, 'subject_line'>
type PlacedBlock = Pick<NewsletterBlockRow, 'position' | 'content_block' | 'publish_after'>

/** What keeps a newsletter from being ready at an instant, and from being sent. */
function blockers({ subject_line }: Details, places: readonly PlacedBlock[], at: Date): Blocker[] {
  const missing = (message: string): Blocker => ({ code: 'missing', message })
  const named = ({ position, content_block }: PlacedBlock) =>
    `block ${position}, "${content_block.title}",`
  return [
    ...(subject_line === null ? [missing('subject_line is missing')] : []),
    ...(places.length === 0 ? [missing('it has no blocks')] : []),
    ...places
      .filter(({ content_block }) => content_block.status === 'draft')
      .map((place) => missing(`${named(place)} is still a draft`)),
    ...places.filter(isEmbargoed(at)).map((place) => ({
      code: 'embargoed' as const,
      message: `${named(place)} is under embargo until ${place.publish_after?.toISOString()}`,
    })),
  ]
}

const isEmbargoed = (at: Date) => (place: PlacedBlock) =>
  place.publish_after !== null && place.publish_after > at

/**
 * Checks a move against the states, and where it leads to `ready` or `sent` against what the
 * newsletter still lacks. Throws `invalid_transition`, or `embargoed` when nothing but an embargo
 * stands in the way; `missing` lists what does.
 */
export function requireTransition(
  from: NewsletterStatus,
  next: NewsletterRow,
  places: readonly PlacedBlock[],
  at: Date,
): void {
  const to = next.status
  const allowed = transitions[from]
  if (from !== to && !allowed.includes(to)) {
    throw new AppError(
      'invalid_transition',
      `A newsletter that is ${from} cannot become ${to}, only ${allowed.join(' or ')}.`,
      { extra: { from, to, allowed } },
    )
  }
  if (to === 'ready' || to === 'sent') requireComplete(from, next, places, at)
}

function requireComplete(
  from: NewsletterStatus,
  next: NewsletterRow,
  places: readonly PlacedBlock[],
  at: Date,
): void {
  const found = blockers(next, places, at)
  if (found.length === 0) return
  const missing = found.map(({ message }) => message)
  const code = found.every(({ code }) => code === 'embargoed') ? 'embargoed' : 'invalid_transition'
  throw new AppError(code, `The newsletter cannot become ${next.status}: ${missing.join('; ')}.`, {
    extra: { from, to: next.status, allowed: transitions[from], missing },
  })
}

/**
 * The state a newsletter falls into by itself after a change: ready means that it can be sent, so
 * what no longer can is in progress again.
 */
export function derivedStatus(
  newsletter: NewsletterRow,
  places: readonly PlacedBlock[],
  at: Date,
): NewsletterStatus {
  const { status } = newsletter
  return status === 'ready' && blockers(newsletter, places, at).length > 0 ? 'in_progress' : status
}

/** The 409 for every change of what has left the house. */
export function alreadySent(): AppError {
  return new AppError('newsletter_sent', 'The newsletter was sent and can no longer be changed.')
}

/** The 404 for a newsletter that the team does not have. */
export function missingNewsletter(): AppError {
  return notFound('The newsletter')
}
