import { daysBefore } from '../../lib/clock.ts'
import type { Context, ServiceContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import {
  deleteFormDraftsBefore,
  deleteOldestDrafts,
  type FormDraftRow,
  selectFormDraft,
  upsertFormDraft,
} from './sql.ts'

const retentionDays = 30
const maxDrafts = 100

interface FormOfMember {
  memberId: string
  /** Names the form: the path of its page and its action. */
  form: string
}

/**
 * Stores what a member has typed into a form, for 30 days and at most 100 forms. An empty content says
 * that nothing is left to restore. A request that is older than the stored one changes nothing; the result is
 * then false.
 */
export async function saveFormDraft(
  { sql, now, actor: { teamId } }: Context,
  {
    memberId,
    form,
    content,
    savedAt,
    ageMs,
  }: FormOfMember & { content: string; savedAt: Date; ageMs: number },
): Promise<boolean> {
  // A clock that is ahead would make every later draft older.
  const at = new Date(Math.min(savedAt.getTime(), now().getTime() - ageMs))
  const draft = { content, savedAt: at }
  const isStored = await withDeadline(upsertFormDraft(sql, { teamId, memberId, form }, draft))
  await withDeadline(deleteOldestDrafts(sql, teamId, memberId, maxDrafts))
  return isStored
}

/** What a member has typed into a form and not saved, or null. */
export async function findFormDraft(
  { sql, actor }: Context,
  { memberId, form }: FormOfMember,
): Promise<FormDraftRow | null> {
  return (await withDeadline(selectFormDraft(sql, actor.teamId, memberId, form))) ?? null
}

/** Deletes the drafts of all teams after 30 days. */
export async function purgeFormDrafts({ sql, now }: ServiceContext): Promise<void> {
  const before = daysBefore(now(), retentionDays)
  await deleteFormDraftsBefore(sql, before)
}
