import type { Tx } from '../../lib/db.ts'
import type { ExpectedVersions } from '../../lib/versions.ts'
import { deleteNewsletterRow } from './sql.ts'
import { lockEditableNewsletter } from './update.ts'

/**
 * Deletes a newsletter; its blocks stay in the library. Throws `not_found`, `newsletter_sent`,
 * `version_mismatch`.
 */
export async function deleteNewsletter(
  tx: Tx,
  teamId: string,
  id: string,
  expected: ExpectedVersions,
): Promise<void> {
  await lockEditableNewsletter(tx, teamId, id, expected)
  await deleteNewsletterRow(tx, teamId, id)
}
