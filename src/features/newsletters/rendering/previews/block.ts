import type { LinkContext } from '../../../../lib/context.ts'
import { withDeadline } from '../../../../lib/database/db.ts'
import { notFound } from '../../../../lib/errors.ts'
import { selectBlock } from '../../../content-blocks/index.ts'
import { findEventDates } from '../../../events/index.ts'
import { findImages, findImageWidths } from '../../../images/index.ts'
import { getTeamDetails } from '../../../teams/index.ts'
import { inLanguage } from '../../../templates/index.ts'
import { findLatestTemplate } from '../latest-template.ts'
import { renderBlocks } from '../render.ts'
import { announcedEvents, brandOf } from './newsletter.ts'

/**
 * A block as it looks in an email of the team, in the template of its newest newsletter, as HTML. Throws
 * `not_found`.
 */
export async function previewBlock(ctx: LinkContext, blockId: string): Promise<string> {
  const { sql, actor } = ctx
  const [block, latest, team] = await Promise.all([
    withDeadline(selectBlock(sql, actor.teamId, blockId)),
    findLatestTemplate(ctx),
    getTeamDetails(ctx, null),
  ])
  if (!block) throw notFound('The content block')
  const template = inLanguage(latest, team.language)
  const [images, image_widths, dates] = await Promise.all([
    findImages(ctx, [team.logoUrl, block.image_url]),
    findImageWidths(ctx, [block.body]),
    findEventDates(ctx, announcedEvents([block])),
  ])
  const image_alt = block.image_alt ?? images(block.image_url)?.alt ?? null
  return renderBlocks(template, {
    title: block.title,
    subject_line: null,
    preheader_text: null,
    team: brandOf(team, images),
    lang: team.language,
    table_of_contents: false,
    image_widths,
    blocks: [{ ...block, image_alt, event_date: dates.get(block.event_slug ?? '') ?? null }],
  })
}
