import type { View } from '../../../../lib/html/mjml.ts'
import { textLinesOf } from '../../../../lib/html/sanitize-html.ts'
import { markedText, withMark } from '../composer-marks.ts'
import { emailBody } from '../email-body.ts'
import { directionOf, pageDirection, sideOf } from '../locale.ts'
import type { RenderableBlock } from '../renderable.ts'
import type { ArrangedSection, SectionItem } from '../sections/arrange-sections.ts'
import { numbersOf } from '../sections/contents.ts'
import { blockView, isWeb, type ViewContext } from './block.ts'

const kinds = {
  is_block: false,
  is_people: false,
  is_divider: false,
  is_callout: false,
  is_poll: false,
}

/**
 * The sections of a newsletter as a layout shows them, with their blocks numbered from 1 where a table of
 * contents lists them.
 */
export function sectionViews(
  sections: readonly ArrangedSection[],
  viewContext: ViewContext,
  hasContents: boolean,
): View[] {
  const numbers = numbersOf(sections)
  const numbered = (block: RenderableBlock) =>
    blockView(block, { at: numbers.get(block) ?? 0, listed: hasContents }, viewContext)
  return sections.map(({ title, mark, items }, index) => {
    const direction = directionOf(title ?? '')
    // A divider directly above a heading is its line.
    const isDivided = sections[index - 1]?.items.at(-1)?.kind === 'divider'
    return {
      section_rule: !isDivided,
      section_space_px: isDivided ? 14 : 44,
      section: title && markedText(title, viewContext.marked ? mark : null),
      section_direction: direction,
      section_start: sideOf(direction),
      items: items.map((item, at) => ({
        ...kinds,
        ...spacing(item, items[at - 1], title !== null),
        ...itemView(item, numbered, viewContext, spaceAbove(items[at - 1], title !== null)),
      })),
    }
  })
}

/** The space above an item in pixels: less below the heading of a section. */
const spaceAbove = (before: SectionItem | undefined, hasHeading: boolean): number =>
  before === undefined && hasHeading ? 14 : 36

/** The space above an item, and the line between items of the layout that draws one; in pixels. */
function spacing(item: SectionItem, before: SectionItem | undefined, hasHeading: boolean): View {
  // After a divider, a second line would stand directly below the first.
  const isRuled = item.kind === 'block' && before !== undefined && before.kind !== 'divider'
  return {
    space_px: spaceAbove(before, hasHeading),
    rule_px: isRuled ? 1 : 0,
    rule_space_px: isRuled ? 16 : 0,
  }
}

function itemView(
  item: SectionItem,
  numbered: (block: RenderableBlock) => View,
  viewContext: ViewContext,
  space_px: number,
): View {
  if (item.kind === 'block') return { is_block: true, ...numbered(item.block) }
  if (item.kind === 'people')
    return {
      is_people: true,
      rows: peopleRows(item.blocks.map(numbered), viewContext, space_px),
    }
  if (item.kind === 'callout') {
    const { heading, body, mark } = item.callout
    const text = textView(heading, body, viewContext, mark)
    return { is_callout: true, callout_heading: heading, ...text }
  }
  if (item.kind === 'poll') {
    const { heading, options, mark } = item.poll
    const open = options.filter(({ url }) => isWeb(url))
    return {
      is_poll: true,
      question: markedText(heading, viewContext.marked ? mark : null),
      ...directions(heading),
      options: open.map(({ label, url }, at) => ({
        label,
        address: url,
        more: at < open.length - 1,
      })),
    }
  }
  return { is_divider: true }
}

function textView(
  heading: string | null,
  html: string,
  viewContext: ViewContext,
  mark: string | undefined,
): View {
  const { theme } = viewContext
  const accent = theme.buttons ? theme.onBand : theme.accent
  return {
    heading: heading !== null,
    ...directions(heading ?? ''),
    ...proseView({ name: 'body', html, mark, headingLevel: 3 }, viewContext, accent),
  }
}

const directions = (text: string): View => {
  const direction = directionOf(text)
  return { title_direction: direction, title_start: sideOf(direction) }
}

/** Rich text of the newsletter itself, under a name of the layout. */
export function proseView(
  {
    name,
    html,
    mark,
    headingLevel = 2,
  }: {
    name: string
    html: string | null | undefined
    mark: string | undefined
    /** The level of the highest heading in the text; 2 directly below the title. */
    headingLevel?: number
  },
  { theme, marked, imageWidths }: Pick<ViewContext, 'theme' | 'marked' | 'imageWidths'>,
  accent = theme.accent,
): View {
  const direction = directionOf(textLinesOf(html ?? ''))
  const body = { title: '', body: html ?? '', body_format: 'html' } as const
  const look = { accent, widthPx: theme.textWidthPx, imageWidths, headingLevel }
  return {
    [name]: html
      ? {
          html: withMark(emailBody(body, look, direction), marked ? mark : null),
        }
      : null,
    [`${name}_direction`]: direction,
    [`${name}_start`]: sideOf(direction),
  }
}

/** People in rows of two; a single person has the whole row. */
function peopleRows(
  persons: readonly View[],
  { theme, locale }: ViewContext,
  first_space_px: number,
): View[] {
  const gap = pageDirection(locale) === 'ltr' ? '0px 12px 0px 0px' : '0px 0px 0px 12px'
  const rows = Array.from({ length: Math.ceil(persons.length / 2) }, (_, at) =>
    persons.slice(2 * at, 2 * at + 2),
  )
  return rows.map((row, at) => {
    const [first, last] = [at === 0, at === rows.length - 1]
    const [top, bottom] = [first ? theme.radiusPx : 0, last ? theme.radiusPx : 0]
    return {
      space_px: first ? first_space_px : 24,
      row_start_px: first ? 24 : 0,
      row_end_px: last ? 26 : 20,
      row_radius: `${top}px ${top}px ${bottom}px ${bottom}px`,
      row_open: persons.length > 1 && row.length === 1,
      persons: row.map((person, of) => ({
        ...person,
        person_width: persons.length === 1 ? 100 : 50,
        person_class: personClass(of, persons.length),
        person_padding: of === 0 && persons.length > 1 ? gap : '0px',
      })),
    }
  })
}

/** Two people beside each other have their portraits above their texts where there is room. */
function personClass(at: number, count: number): string {
  const place = at === 0 ? 'person' : 'person-next'
  return count > 1 ? `${place} pair` : place
}
