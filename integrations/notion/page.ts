import * as v from 'valibot'
import type { Language } from '../../src/contract/vocabulary.ts'
import type { ProviderApi } from '../kit/requests/provider-request.ts'
import { apiUrl, requestProvider } from '../kit/requests/provider-request.ts'
import { BlockPage, type ListedBlock, type PageBlock } from './blocks.ts'
import type { Settings } from './settings.ts'
import { plainText, RichText } from './text.ts'

/** The version of Notion's API whose responses are read here. */
const version = '2025-09-03'

const Choice = v.nullable(v.object({ name: v.string() }))
const values = v.variant('type', [
  v.object({ type: v.literal('select'), select: Choice }),
  v.object({ type: v.literal('status'), status: Choice }),
  v.object({
    type: v.literal('multi_select'),
    multi_select: v.array(v.object({ name: v.string() })),
  }),
  v.object({ type: v.literal('checkbox'), checkbox: v.boolean() }),
])
const Title = v.object({ type: v.literal('title'), title: RichText })

/**
 * https://developers.notion.com/reference/page. Only the properties that the settings name are
 * read.
 */
const PageResponse = v.object({
  url: v.nullish(v.string(), null),
  in_trash: v.optional(v.boolean(), false),
  archived: v.optional(v.boolean(), false),
  parent: v.optional(
    v.object({ database_id: v.optional(v.string()), data_source_id: v.optional(v.string()) }),
    {},
  ),
  properties: v.record(v.string(), v.unknown()),
})

export type Page = v.InferOutput<typeof PageResponse>

/** A page, or `undefined` when it does not exist or is not shared with us. */
export function readPage(
  id: string,
  settings: Settings,
  provider: ProviderApi,
): Promise<Page | undefined> {
  const url = apiUrl(settings.api_base_url, '/v1', `/pages/${id}`)
  return requestProvider(api(settings, provider), url, PageResponse)
}

const api = ({ api_token: [token] }: Settings, provider: ProviderApi) => ({
  provider,
  name: 'Notion',
  headers: { authorization: `Bearer ${token}`, 'notion-version': version },
  check: 'api_token, and that the connection may read content',
})

/** A list of blocks is read up to this many pages of 100. */
const maxBlockPages = 5
/**
 * The maximum number of lists that are read for one page: Notion allows three requests a second.
 */
const maxLists = 20
const maxDepth = 4

type ReadPage = (list: string, cursor: string | null) => Promise<v.InferOutput<typeof BlockPage>>

/** The blocks of a page with their child blocks; `isCut` when there are more than are read. */
export async function readBlocks(
  id: string,
  settings: Settings,
  provider: ProviderApi,
): Promise<{ blocks: PageBlock[]; isCut: boolean }> {
  const readPage: ReadPage = async (list, cursor) => {
    const url = apiUrl(settings.api_base_url, '/v1', `/blocks/${list}/children`)
    url.searchParams.set('page_size', '100')
    if (cursor !== null) url.searchParams.set('start_cursor', cursor)
    const page = await requestProvider(api(settings, provider), url, BlockPage)
    return page ?? { blocks: [], next: null }
  }
  const budget = { lists: maxLists, isCut: false }
  return { blocks: await readList(readPage, id, budget, maxDepth), isCut: budget.isCut }
}

async function readList(
  readPage: ReadPage,
  list: string,
  budget: { lists: number; isCut: boolean },
  depth: number,
): Promise<PageBlock[]> {
  if (depth === 0 || budget.lists === 0) {
    budget.isCut = true
    return []
  }
  budget.lists--
  const listed: ListedBlock[] = []
  let cursor: string | null = null
  for (let count = 0; count < maxBlockPages; count++) {
    const page = await readPage(list, cursor)
    listed.push(...page.blocks)
    cursor = page.next
    if (cursor === null) break
  }
  if (cursor !== null) budget.isCut = true
  for (const { block, childrenOf } of listed)
    if (childrenOf) block.children = await readList(readPage, childrenOf, budget, depth - 1)
  return listed.map(({ block }) => block)
}

/** The title of a page, in whichever property the database stores it. */
export function titleOf({ properties }: Page, language: Language): string {
  for (const property of Object.values(properties)) {
    const { success, output } = v.safeParse(Title, property)
    if (success) return plainText(output.title, language)
  }
  return ''
}

/**
 * The selected values of a property; none when the page has no such property or when it contains
 * text.
 */
export function valuesOf({ properties }: Page, name: string): string[] {
  const { success, output } = v.safeParse(values, properties[name])
  if (!success) return []
  switch (output.type) {
    case 'select':
      return output.select === null ? [] : [output.select.name]
    case 'status':
      return output.status === null ? [] : [output.status.name]
    case 'multi_select':
      return output.multi_select.map(({ name }) => name)
    case 'checkbox':
      return [String(output.checkbox)]
  }
}

/** Whether the page is in this database or data source. */
export function isIn({ parent }: Page, database: string): boolean {
  const plain = (id: string | undefined) => id?.replaceAll('-', '').toLowerCase()
  return [parent.database_id, parent.data_source_id].map(plain).includes(plain(database))
}
