import type { Template } from '../../../../contract/newsletters/template.ts'
import type { LinkContext } from '../../../../lib/context.ts'
import { findImages } from '../../../images/index.ts'
import { getTeamDetails } from '../../../teams/index.ts'
import { renderNewsletter } from '../render.ts'
import type { RenderableElement, RenderableNewsletter } from '../renderable.ts'
import { sectionsOf } from '../sections/template-sections.ts'
import { textsIn } from '../texts.ts'
import { brandOf } from './newsletter.ts'

interface TemplateSample {
  template: Pick<Template, 'base' | 'style' | 'sections'>
  sample: Omit<RenderableNewsletter, 'team'>
}

/**
 * A sample newsletter with the brand of the team in the style and the sections of a template, as HTML.
 * The elements of the sample come after its blocks.
 */
export async function previewTemplate(
  ctx: LinkContext,
  { template, sample }: TemplateSample,
): Promise<string> {
  const team = await getTeamDetails(ctx, null)
  const images = await findImages(ctx, [team.logoUrl])
  const sections = sectionsOf(template.sections, sample.blocks, textsIn(team.language).moreNews)
  const headings: RenderableElement[] = []
  let position = 1
  for (const { title, blocks } of sections) {
    headings.push({ type: 'section', heading: title, before_position: position })
    position += blocks.length
  }
  const newsletter = {
    ...sample,
    blocks: sections.flatMap(({ blocks }) => blocks),
    elements: [...headings, ...(sample.elements ?? [])],
    team: brandOf(team, images),
    lang: team.language,
  }
  return renderNewsletter(template, newsletter).html
}
