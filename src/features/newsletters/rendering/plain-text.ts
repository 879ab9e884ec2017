import { startsWithTitle } from '../../../lib/text/starts-with-title.ts'
import { dateOf } from './locale.ts'
import type { RenderableBlock, RenderableNewsletter } from './renderable.ts'
import type { ArrangedSection, SectionItem } from './sections/arrange-sections.ts'
import { isQuote } from './sections/block-kinds.ts'
import { hasContents, listedBlocks } from './sections/contents.ts'
import { textBody } from './text-body.ts'
import { isWeb, type ViewContext } from './view/block.ts'
import { isLink, metaOf } from './view/newsletter.ts'

type Language = Pick<ViewContext, 'texts' | 'locale'> & { numbered: boolean }

/** The plain-text part of a newsletter. Lines have at most 78 characters unless a word is longer. */
export function renderPlainText(
  newsletter: RenderableNewsletter,
  sections: readonly ArrangedSection[],
  language: Language,
): string {
  const meta = [newsletter.team.name, metaOf(newsletter, language)].filter(Boolean).join(' · ')
  const parts = [
    `${newsletter.title}\n${meta}`,
    proseText(newsletter.intro),
    hasContents(newsletter, sections, language.numbered) ? contentsText(sections, language) : '',
    ...sections.map((section) => sectionText(section, language)),
    proseText(newsletter.closing),
  ]
  const body = withoutRepeatedAddresses(parts.filter(Boolean).join('\n\n\n'))
  return `${body}\n\n${footerText(newsletter, language)}\n`
}

/**
 * A link whose text is its address, as `acme.test/a [https://acme.test/a]`, becomes the address alone. The search begins
 * only at the start of a word, so that it takes time in proportion to a long one.
 */
const withoutRepeatedAddresses = (text: string) =>
  text.replaceAll(/(?<![^\s()[\]])([^\s()[\]]+)\s\[(https?:\/\/)\1(\/?)\]/g, '$2$1$3')

const proseText = (html: string | null | undefined): string =>
  html ? textBody({ title: '', body: html, body_format: 'html' }) : ''

function contentsText(sections: readonly ArrangedSection[], { texts }: Language): string {
  const titles = sections.flatMap(listedBlocks).map(({ title }) => ` * ${title}`)
  return [`${texts.contents}:`, ...titles].join('\n')
}

function sectionText({ title, items }: ArrangedSection, language: Language): string {
  const heading = title === null ? [] : [underlined(title.toUpperCase(), '=')]
  return [...heading, ...items.flatMap((item) => itemText(item, language))].join('\n\n')
}

function itemText(item: SectionItem, language: Language): string[] {
  if (item.kind === 'block') return [blockText(item.block, language)]
  if (item.kind === 'people') return item.blocks.map((block) => blockText(block, language))
  if (item.kind === 'callout') {
    const { heading, body } = item.callout
    const text = [heading, proseText(body)].filter(Boolean).join('\n')
    return [text.replaceAll(/^/gm, '| ')]
  }
  if (item.kind === 'poll') {
    const { heading, options } = item.poll
    const open = options.filter(({ url }) => isWeb(url))
    return [[heading, ...open.map(({ label, url }) => ` * ${label}: ${url}`)].join('\n')]
  }
  return ['* * *']
}

function blockText(block: RenderableBlock, { texts, locale }: Language): string {
  const quote = isQuote(block)
  const { author, source_url } = block
  const label = block.block_type === 'poll' ? texts.vote : texts.readMore
  const byline = [
    ...(author ? [quote ? `— ${author}` : texts.by(author)] : []),
    ...(isWeb(source_url) ? [`${label}: ${source_url}`] : []),
  ].join('\n')
  const text = textBody(block)
  const date = block.block_type === 'event_announcement' ? dateOf(block.event_date, locale) : null
  const heading = startsWithTitle(block.title, text) ? '' : underlined(block.title, '-')
  const body = quote ? text.replaceAll(/^/gm, '> ') : text
  return [heading, date, body, byline].filter(Boolean).join('\n\n')
}

function footerText({ team, archive_url }: RenderableNewsletter, { texts }: Language): string {
  return [
    '-- ',
    team.name,
    ...(team.contact ? [team.contact] : []),
    ...(isLink(team.share_url)
      ? [`${texts.share}: ${team.share_url.replace(/^mailto:/i, '')}`]
      : []),
    ...(isWeb(archive_url) ? [`${texts.view}: ${archive_url}`] : []),
  ].join('\n')
}

const underlined = (title: string, line: string) =>
  `${title}\n${line.repeat(Math.min([...title].length, 78))}`
