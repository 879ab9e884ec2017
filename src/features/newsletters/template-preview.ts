import type { Template } from '../../contract/template.ts'
import type { LinkContext } from '../../lib/context.ts'
import { findImages } from '../images/index.ts'
import { getTeamDetails } from '../teams/index.ts'
import { brandOf } from './preview.ts'
import { renderNewsletter } from './rendering/render.ts'
import { sampleNewsletter } from './sample.ts'

/** A newsletter with sample content and the brand of the team in the looks of a template, as HTML. */
export async function previewTemplate(
  ctx: LinkContext,
  template: Pick<Template, 'base' | 'style' | 'sections'>,
): Promise<string> {
  const team = await getTeamDetails(ctx, null)
  const images = await findImages(ctx, [team.logoUrl])
  const issue = { ...sampleNewsletter, team: brandOf(team, images), lang: team.language }
  return renderNewsletter(template, issue).html
}
