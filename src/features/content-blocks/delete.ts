import type { Tx } from '../../lib/db.ts'
import { AppError } from '../../lib/errors.ts'
import type { ExpectedVersions } from '../../lib/versions.ts'
import { deleteBlockRow } from './sql.ts'
import { lockCurrent } from './update.ts'
import { selectUnsentNewsletterWith } from './usage-sql.ts'

/**
 * Deletes a block; one that was sent lives on in what was sent. Throws `not_found`,
 * `version_mismatch`, and `block_in_use` while it stands in an unsent newsletter.
 */
export async function deleteBlock(
  tx: Tx,
  teamId: string,
  id: string,
  expected: ExpectedVersions,
): Promise<void> {
  await lockCurrent(tx, teamId, id, expected)
  const newsletter = await selectUnsentNewsletterWith(tx, teamId, id)
  if (newsletter) throw inUse(newsletter)
  await deleteBlockRow(tx, teamId, id)
}

function inUse(newsletter: { id: string; title: string }): AppError {
  return new AppError(
    'block_in_use',
    `The block stands in the newsletter "${newsletter.title}". Take it out there first.`,
    { extra: { newsletter } },
  )
}
