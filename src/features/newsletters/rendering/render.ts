import { isBrief } from '../../../lib/brief.ts'
import { type Layout, parseLayout, renderMail } from '../../../lib/mjml.ts'
import { type Base, layoutSources, type MailTemplate } from '../../templates/index.ts'
import { textBody } from './body.ts'
import {
  type RenderableBlock,
  type RenderableNewsletter,
  type Section,
  sectionsOf,
} from './sections.ts'
import { dateOf, isWeb, localeOf, viewOf } from './view.ts'

export interface RenderedNewsletter {
  html: string
  text: string
  /** Of `html` in UTF-8, which is what Gmail counts. */
  bytes: number
}

/**
 * An issue as a mail: the HTML and the plain-text part, made from the same content. Pure: the same
 * issue gives the same mail.
 */
export function renderNewsletter(
  template: Pick<MailTemplate, 'base' | 'sections'>,
  issue: RenderableNewsletter,
): RenderedNewsletter {
  const sections = sectionsOf(template.sections, issue.blocks)
  const html = renderMail(layoutOf(template.base), viewOf(issue, sections))
  return { html, text: plainText(issue, sections), bytes: Buffer.byteLength(html) }
}

const layouts = new Map<Base, Layout>()

function layoutOf(base: Base): Layout {
  const layout = layouts.get(base) ?? parseLayout(layoutSources[base])
  layouts.set(base, layout)
  return layout
}

/** The plain-text part, in lines of at most 78 characters where the words allow. */
function plainText(issue: RenderableNewsletter, sections: readonly Section[]): string {
  const date = dateOf(issue.date, localeOf(issue.lang))
  const head = [issue.title, [issue.team.name, date].filter(Boolean).join(' · ')].join('\n')
  const parts = sections.map(({ title, blocks }) =>
    [underlined(title.toUpperCase(), '='), ...blocks.map(blockText)].join('\n\n'),
  )
  return `${[head, ...parts].join('\n\n\n')}\n\n-- \n${issue.team.name}\n`
}

function blockText(block: RenderableBlock): string {
  const byline = [
    ...(block.author ? [`By ${block.author}`] : []),
    ...(isWeb(block.source_url) ? [`Read more: ${block.source_url}`] : []),
  ].join('\n')
  const text = textBody(block)
  const heading = isBrief(block.title, text) ? '' : underlined(block.title, '-')
  return [heading, text, byline].filter(Boolean).join('\n\n')
}

const underlined = (title: string, line: string) =>
  `${title}\n${line.repeat(Math.min([...title].length, 78))}`
