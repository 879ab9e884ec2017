import type { NewsletterStatus } from '../../../contract/vocabulary.ts'
import { utcMinute } from '../../../lib/clock.ts'
import { AppError, notFound } from '../../../lib/errors.ts'
import type { NewsletterBlockRow } from '../composition/blocks-sql.ts'
import type { NewsletterRow } from '../sql.ts'

export const transitions: Record<NewsletterStatus, readonly NewsletterStatus[]> = {
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
type CheckedBlock = Pick<NewsletterBlockRow, 'position' | 'content_block' | 'publish_after'>

/** The reasons why a newsletter cannot be ready or sent at a moment. */
function blockers({ subject_line }: Details, blocks: readonly CheckedBlock[], at: Date): Blocker[] {
  const missing = (message: string): Blocker => ({ code: 'missing', message })
  const named = ({ position, content_block }: CheckedBlock) =>
    `block ${position}, "${content_block.title}",`
  return [
    ...(subject_line === null ? [missing('subject_line is missing')] : []),
    ...(blocks.length === 0 ? [missing('it has no blocks')] : []),
    ...blocks
      .filter(({ content_block }) => content_block.status === 'draft')
      .map((block) => missing(`${named(block)} is still a draft`)),
    ...blocks.filter(isEmbargoed(at)).map((block) => ({
      code: 'embargoed' as const,
      message: `${named(block)} is under embargo until ${utcMinute(block.publish_after ?? at)}`,
    })),
  ]
}

const isEmbargoed = (at: Date) => (block: CheckedBlock) =>
  block.publish_after !== null && block.publish_after > at

/**
 * Checks that a newsletter may change from one status to another; for `ready` and `sent` also that
 * it is complete. Throws `invalid_transition`, or `embargoed` when an embargo is the only blocker;
 * `missing` lists the blockers.
 */
export function requireTransition(
  from: NewsletterStatus,
  next: NewsletterRow,
  blocks: readonly CheckedBlock[],
  at: Date,
): void {
  const to = next.status
  const allowed = transitions[from]
  if (from !== to && !allowed.includes(to)) {
    throw new AppError(
      'invalid_transition',
      `A newsletter that is ${from} cannot become ${to}${allowed.length > 0 ? `, only ${allowed.join(' or ')}` : ''}.`,
      { extra: { from, to, allowed } },
    )
  }
  if (to === 'ready' || to === 'sent') requireComplete(from, next, blocks, at)
}

function requireComplete(
  from: NewsletterStatus,
  next: NewsletterRow,
  blocks: readonly CheckedBlock[],
  at: Date,
): void {
  const found = blockers(next, blocks, at)
  if (found.length === 0) return
  const missing = found.map(({ message }) => message)
  const code = found.every(({ code }) => code === 'embargoed') ? 'embargoed' : 'invalid_transition'
  throw new AppError(code, `The newsletter cannot become ${next.status}: ${missing.join('; ')}.`, {
    extra: { from, to: next.status, allowed: transitions[from], missing },
  })
}

/**
 * The status of a newsletter after a change: a ready newsletter that can no longer be sent becomes
 * `in_progress`.
 */
export function derivedStatus(
  newsletter: NewsletterRow,
  blocks: readonly CheckedBlock[],
  at: Date,
): NewsletterStatus {
  const { status } = newsletter
  return status === 'ready' && blockers(newsletter, blocks, at).length > 0 ? 'in_progress' : status
}

/** The error for a change of a sent newsletter. */
export function alreadySent(): AppError {
  return new AppError('newsletter_sent', 'The newsletter was sent and can no longer be changed.')
}

/** The 404 for a newsletter that the team does not have. */
export function missingNewsletter(): AppError {
  return notFound('The newsletter')
}
