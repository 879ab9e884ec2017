import * as v from 'valibot'
import { plainText, RichText, richTextHtml } from './text.ts'

/** The kinds of blocks that are told, as the element each becomes; all others are left out. */
const elements: Record<string, string> = {
  paragraph: 'p',
  heading_1: 'h2',
  heading_2: 'h3',
  heading_3: 'h4',
  heading_4: 'h5',
  quote: 'blockquote',
  bulleted_list_item: 'li',
  numbered_list_item: 'li',
}

const lists: Record<string, string> = { bulleted_list_item: 'ul', numbered_list_item: 'ol' }

/** A block that is told. */
export interface TextBlock {
  type: string
  text: RichText
}

const AnyBlock = v.looseObject({ type: v.string() })
const Content = v.object({ rich_text: RichText })

/** What is told of a block; `undefined` for images, embeds, tables and all else, and for empty ones. */
function textBlock(block: unknown): TextBlock | undefined {
  const { success, output } = v.safeParse(AnyBlock, block)
  if (!success || !Object.hasOwn(elements, output.type)) return undefined
  const content = v.safeParse(Content, output[output.type])
  if (!content.success || plainText(content.output.rich_text).trim() === '') return undefined
  return { type: output.type, text: content.output.rich_text }
}

/** One page of a list of blocks: https://developers.notion.com/reference/get-block-children */
export const BlockPage = v.pipe(
  v.object({
    results: v.array(v.unknown()),
    has_more: v.optional(v.boolean(), false),
    next_cursor: v.nullish(v.string(), null),
  }),
  v.transform(({ results, has_more, next_cursor }) => ({
    blocks: results.map(textBlock).filter((block) => block !== undefined),
    next: has_more ? next_cursor : null,
  })),
)

const cutMark = '<p>…</p>'

/**
 * Blocks as HTML of at most `maxBytes`, ended by a mark when there is more (`isCut`, or what did not
 * fit). Empty without blocks.
 */
export function blocksHtml(blocks: readonly TextBlock[], isCut: boolean, maxBytes: number): string {
  const kept: string[] = []
  let room = maxBytes - Buffer.byteLength(cutMark)
  let openList = ''
  let cut = isCut
  for (const { type, text } of blocks) {
    const list = lists[type] ?? ''
    const element = elements[type] ?? 'p'
    const html = [
      list === openList ? '' : closing(openList) + opening(list),
      `<${element}>${richTextHtml(text)}</${element}>`,
    ].join('')
    // The end of the list it may leave open has to fit as well.
    room -= Buffer.byteLength(html) + 1
    if (room < '</ul>'.length) {
      cut = true
      break
    }
    kept.push(html)
    openList = list
  }
  if (kept.length === 0) return ''
  return [kept.join('\n') + closing(openList), ...(cut ? [cutMark] : [])].join('\n')
}

const opening = (list: string) => (list === '' ? '' : `<${list}>`)
const closing = (list: string) => (list === '' ? '' : `</${list}>`)
