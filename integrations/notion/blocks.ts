import * as v from 'valibot'
import { RichText } from './text.ts'

/** A block of a page with its child blocks. https://developers.notion.com/reference/block */
export interface PageBlock {
  kind: BlockKind
  text: RichText
  /** Whether a to-do is done. */
  checked: boolean
  /** The cells of a row of a table. */
  cells: RichText[]
  /** Whether the first row of a table contains the names of its columns. */
  hasHeader: boolean
  children: PageBlock[]
}

/** The kind of each type of block. All other types (images, embeds, child pages) are left out. */
const kinds = {
  paragraph: 'paragraph',
  heading_1: 'heading',
  heading_2: 'heading',
  heading_3: 'heading',
  heading_4: 'heading',
  quote: 'quote',
  callout: 'quote',
  bulleted_list_item: 'bullet',
  to_do: 'to_do',
  numbered_list_item: 'number',
  toggle: 'toggle',
  code: 'code',
  table: 'table',
  table_row: 'row',
  column_list: 'container',
  column: 'container',
  synced_block: 'container',
} as const
export type BlockKind = (typeof kinds)[keyof typeof kinds]

const AnyBlock = v.looseObject({
  id: v.optional(v.string(), ''),
  type: v.string(),
  has_children: v.optional(v.boolean(), false),
})
const Content = v.object({
  rich_text: v.optional(RichText, []),
  checked: v.optional(v.boolean(), false),
  cells: v.optional(v.array(RichText), []),
  has_column_header: v.optional(v.boolean(), false),
})

/** A block in a list of blocks. Its child blocks are in a separate list. */
export interface ListedBlock {
  block: PageBlock
  /** The id of the list of its child blocks, if there is one. */
  childrenOf: string | undefined
}

function listedBlock(value: unknown): ListedBlock[] {
  const { success, output } = v.safeParse(AnyBlock, value)
  if (!success || !isKnown(output.type)) return []
  const content = v.safeParse(Content, output[output.type] ?? {})
  if (!content.success) return []
  const { rich_text: text, checked, cells, has_column_header: hasHeader } = content.output
  const childrenOf = output.has_children && /^[\w-]{1,64}$/.test(output.id) ? output.id : undefined
  const block = { kind: kinds[output.type], text, checked, cells, hasHeader, children: [] }
  return [{ block, childrenOf }]
}

const isKnown = (type: string): type is keyof typeof kinds => Object.hasOwn(kinds, type)

/** One page of a list of blocks: https://developers.notion.com/reference/get-block-children */
export const BlockPage = v.pipe(
  v.object({
    results: v.array(v.unknown()),
    has_more: v.optional(v.boolean(), false),
    next_cursor: v.nullish(v.string(), null),
  }),
  v.transform(({ results, has_more, next_cursor }) => ({
    blocks: results.flatMap(listedBlock),
    next: has_more ? next_cursor : null,
  })),
)
