import type { Template } from '../../contract/newsletters/template.ts'
import type { Context } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { countLimit, type Page, type PageRequest } from '../../lib/lists/pagination.ts'
import { isSystem, ownTemplate } from './create.ts'
import { countTemplates, selectTemplates } from './sql.ts'
import { systemTemplates } from './system/index.ts'

/** A page of templates: those of every team, then the team's own by slug. */
export async function listTemplates(
  { sql, actor: { teamId } }: Context,
  page: PageRequest,
): Promise<Page<Template>> {
  const { afterId } = page
  const limit = page.perPage + 1
  const offset = afterId === undefined ? (page.page - 1) * page.perPage : startAfter(afterId)
  const system = systemTemplates.slice(offset, offset + limit)
  const slice = {
    afterSlug: afterId === undefined || isSystem(afterId) ? '' : afterId,
    offset: afterId === undefined ? Math.max(offset - systemTemplates.length, 0) : 0,
    limit: limit - system.length,
  }
  const [rows, own] = await withDeadline(
    Promise.all([selectTemplates(sql, teamId, slice), countTemplates(sql, teamId, countLimit + 1)]),
  )
  const found = [...system, ...rows.map(ownTemplate)]
  return {
    items: found.slice(0, page.perPage),
    counted: systemTemplates.length + own,
    hasMore: found.length > page.perPage,
  }
}

/** How many of the templates of every team are not after this one. */
function startAfter(templateSlug: string): number {
  const at = systemTemplates.findIndex((template) => template.slug === templateSlug)
  return at === -1 ? systemTemplates.length : at + 1
}
