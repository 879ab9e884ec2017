import type { Template } from '../../../contract/newsletters/template.ts'
import type { TemplateBase } from '../../../contract/vocabulary.ts'
import { type Layout, parseLayout, renderMail } from '../../../lib/html/mjml.ts'
import { blockLayoutSources, defaultStyles, layoutSources } from '../../templates/index.ts'
import { localeOf } from './locale.ts'
import { renderPlainText } from './plain-text.ts'
import type { RenderableNewsletter } from './renderable.ts'
import { arrangeSections } from './sections/arrange-sections.ts'
import { textsIn } from './texts.ts'
import { themeOf } from './theme/theme.ts'
import type { ViewContext } from './view/block.ts'
import { newsletterView } from './view/newsletter.ts'

export interface RenderedNewsletter {
  html: string
  text: string
  /** The size of `html` in UTF-8, which is the size that Gmail limits. */
  bytes: number
}

/** The template of a newsletter; without a style, the design of the layout is used. */
export type RenderingTemplate = Pick<Template, 'base' | 'sections'> &
  Partial<Pick<Template, 'style'>>

/**
 * A newsletter as an email: the HTML and the plain-text part from the same content. Pure: the same
 * newsletter gives the same email. With `marked`, its elements have marks for the composer.
 */
export function renderNewsletter(
  { base, sections, style = defaultStyles[base] }: RenderingTemplate,
  newsletter: RenderableNewsletter,
  { marked = false } = {},
): RenderedNewsletter {
  const template = { base, sections, style }
  const { arranged, view, viewContext } = prepare(template, newsletter, { marked })
  const html = renderMail(layoutOf(base), view)
  const { texts, locale, theme } = viewContext
  const text = renderPlainText(newsletter, arranged, { texts, locale, numbered: theme.numbered })
  return { html, text, bytes: Buffer.byteLength(html) }
}

/** The blocks of a newsletter as they look in the email, without its header, introduction and footer. */
export function renderBlocks(
  { base, sections, style = defaultStyles[base] }: RenderingTemplate,
  newsletter: RenderableNewsletter,
): string {
  const { view } = prepare({ base, sections, style }, newsletter, { marked: false })
  return renderMail(blockLayoutOf(base), view)
}

function prepare(
  { base, sections, style }: Required<RenderingTemplate>,
  newsletter: RenderableNewsletter,
  { marked }: Pick<ViewContext, 'marked'>,
) {
  const locale = localeOf(newsletter.lang)
  const texts = textsIn(locale.language)
  const theme = themeOf(base, style, newsletter.team.brand_color)
  const arranged = arrangeSections(sections, newsletter, texts.moreNews)
  const team = style.show_logo ? newsletter.team : { ...newsletter.team, logo: null }
  const imageWidths = newsletter.image_widths ?? new Map<string, number>()
  const viewContext = { theme, texts, locale, marked, imageWidths }
  const view = newsletterView({ ...newsletter, team }, arranged, viewContext)
  return { arranged, view, viewContext }
}

const layouts = new Map<string, Layout>()

const layoutOf = (base: TemplateBase): Layout => parseOnce(layoutSources[base])
const blockLayoutOf = (base: TemplateBase): Layout => parseOnce(blockLayoutSources[base])

function parseOnce(source: string): Layout {
  const layout = layouts.get(source) ?? parseLayout(source)
  layouts.set(source, layout)
  return layout
}
