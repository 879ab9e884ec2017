import type { IngestPayload } from '../../src/contract/blocks/ingest.ts'
import { maxBodyBytes, toNfc } from '../../src/contract/text.ts'
import type { Language } from '../../src/contract/vocabulary.ts'
import { type BlockType, blockTypes } from '../../src/contract/vocabulary.ts'
import type { ComposeContext } from '../kit/adapter.ts'
import type { Composed } from '../kit/composed.ts'
import { buildItem, headline } from '../kit/item.ts'
import { linkOnHostOf } from '../kit/text/plain-text.ts'
import type { PageBlock } from './blocks.ts'
import type { PageEvent } from './event.ts'
import { blocksHtml } from './html.ts'
import { isIn, type Page, readBlocks, readPage, titleOf, valuesOf } from './page.ts'
import type { Settings } from './settings.ts'

/** A page becomes an item when its property marks it. A later change does not remove the item. */
export async function composePage({
  event: { page_id },
  settings,
  provider,
  now,
  language,
}: ComposeContext<Settings, PageEvent>): Promise<Composed> {
  const page = await readPage(page_id, settings, provider)
  if (page === undefined) return ignored('the page is no longer there, or not shared with Tidings')
  const reason = ignoreReason(page, settings)
  if (reason !== undefined) return ignored(reason)
  const content = await readBlocks(page_id, settings, provider)
  const items = [itemOf(page_id, page, content, language)]
  return { kind: 'items', items, updateExisting: true, sourceUpdatedAt: now.toISOString() }
}

const ignored = (reason: string): Composed => ({ kind: 'ignored', reason })

function ignoreReason(page: Page, { database_id, property, value }: Settings): string | undefined {
  if (page.in_trash || page.archived) return 'the page is in the trash'
  if (database_id !== undefined && !isIn(page, database_id))
    return 'the page is not in the database of this connection (database_id)'
  const wanted = normalized(value)
  if (!valuesOf(page, property).some((name) => normalized(name) === wanted))
    return 'the page is not marked as news (property, value)'
  // Notion sends another event when the page gets a title.
  if (headline(titleOf(page, 'en')) === '') return 'the page has no title yet'
  return undefined
}

/** Removes differences of case and of spaces at the ends. */
const normalized = (text: string) => toNfc(text).trim().toLowerCase()

function itemOf(
  id: string,
  page: Page,
  { blocks, isCut }: { blocks: PageBlock[]; isCut: boolean },
  language: Language,
): IngestPayload {
  return buildItem({
    title: withoutState(titleOf(page, language)),
    body: blocksHtml(blocks, { isCut, maxBytes: maxBodyBytes, language }),
    blockType: blockTypeOf(page),
    externalId: `notion:page:${id}`,
    url: ['https://www.notion.so', 'https://app.notion.com', 'https://notion.so']
      .map((site) => linkOnHostOf(site, page.url ?? ''))
      .find((link) => link !== undefined),
  })
}

// `(DRAFT v2)` at the end of a title, which only its author understands.
const state = /(?<!\s)\s*[([](?:draft|wip|entwurf|final|v\d{1,3})\b[^()[\]]{0,20}[)\]]\s*$/i
const withoutState = (title: string): string => title.replace(state, '') || title

/** The block type from a property with the name Type: `Wins & milestones`, `new_starter`. */
function blockTypeOf(page: Page): BlockType {
  const names = valuesOf(page, 'Type').map((name) =>
    name
      .toLowerCase()
      .match(/[a-z]+/g)
      ?.join('_'),
  )
  return blockTypes.find((type) => names.includes(type)) ?? 'general'
}
