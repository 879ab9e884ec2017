import { type Layout, parseLayout, renderMail } from '../../../lib/mjml.ts'
import {
  type Base,
  defaultStyles,
  layoutSources,
  type MailTemplate,
} from '../../templates/index.ts'
import { arrange } from './arrange.ts'
import { localeOf } from './locale.ts'
import { plainText } from './plain-text.ts'
import type { RenderableNewsletter } from './sections.ts'
import { themeOf } from './theme.ts'
import { viewOf } from './view.ts'
import { wordsIn } from './words.ts'

export interface RenderedNewsletter {
  html: string
  text: string
  /** The size of `html` in UTF-8, which is the size that Gmail limits. */
  bytes: number
}

/** The template of an issue; without a style, the design of the layout is used. */
export type RenderingTemplate = Pick<MailTemplate, 'base' | 'sections'> &
  Partial<Pick<MailTemplate, 'style'>>

/**
 * An issue as an email: the HTML and the plain-text part from the same content. Pure: the same
 * issue gives the same email.
 */
export function renderNewsletter(
  { base, sections, style = defaultStyles[base] }: RenderingTemplate,
  issue: RenderableNewsletter,
): RenderedNewsletter {
  const locale = localeOf(issue.lang)
  const words = wordsIn(locale.language)
  const theme = themeOf(base, style, issue.team.brand_color)
  const arranged = arrange(sections, issue, words.moreNews)
  const team = style.show_logo ? issue.team : { ...issue.team, logo: null }
  const view = viewOf({ ...issue, team }, arranged, { theme, words, locale })
  const html = renderMail(layoutOf(base), view)
  const text = plainText(issue, arranged, { words, locale, numbered: theme.numbered })
  return { html, text, bytes: Buffer.byteLength(html) }
}

const layouts = new Map<Base, Layout>()

function layoutOf(base: Base): Layout {
  const layout = layouts.get(base) ?? parseLayout(layoutSources[base])
  layouts.set(base, layout)
  return layout
}
