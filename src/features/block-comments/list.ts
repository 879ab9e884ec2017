import type { ReadContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import {
  type Comment,
  type DiscussionSummary,
  type EditorRow,
  selectComments,
  selectDiscussionSummaries,
  selectEditors,
} from './sql.ts'

const maxComments = 200
const editorsPerPage = 500

/** The newest 200 comments on a block, the oldest first. */
export async function listComments({ sql, actor }: ReadContext, id: string): Promise<Comment[]> {
  return await withDeadline(selectComments(sql, actor.teamId, id, maxComments))
}

/** All members who can be mentioned and assigned, by name. */
export async function listEditors({ sql, actor }: ReadContext): Promise<EditorRow[]> {
  const editors: EditorRow[] = []
  for (;;) {
    const after = editors.at(-1) ?? { id: '', name: '' }
    const slice = { after, limit: editorsPerPage }
    const page = await withDeadline(selectEditors(sql, actor.teamId, slice))
    editors.push(...page)
    if (page.length < editorsPerPage) return editors
  }
}

/** The number of comments and the assignee of each of these blocks, by the id of the block. */
export async function listDiscussionSummaries(
  { sql, actor }: ReadContext,
  blockIds: readonly string[],
): Promise<ReadonlyMap<string, DiscussionSummary>> {
  if (blockIds.length === 0) return new Map()
  const rows = await withDeadline(selectDiscussionSummaries(sql, actor.teamId, blockIds))
  return new Map(rows.map((row) => [row.id, row]))
}
