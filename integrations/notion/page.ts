import * as v from 'valibot'
import type { ProviderApi } from '../kit/adapter.ts'
import { apiUrl, requestProvider } from '../kit/provider-request.ts'
import { BlockPage, type TextBlock } from './blocks.ts'
import type { Settings } from './settings.ts'
import { plainText, RichText } from './text.ts'

/** The version of Notion's API whose shapes are read here. */
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

/** https://developers.notion.com/reference/page; of its properties only those asked for are read. */
const PageAnswer = v.object({
  url: v.nullish(v.string(), null),
  in_trash: v.optional(v.boolean(), false),
  archived: v.optional(v.boolean(), false),
  parent: v.optional(
    v.object({ database_id: v.optional(v.string()), data_source_id: v.optional(v.string()) }),
    {},
  ),
  properties: v.record(v.string(), v.unknown()),
})

export type Page = v.InferOutput<typeof PageAnswer>

/** A page, or `undefined` when it is not there or not shared with us. */
export function readPage(
  id: string,
  settings: Settings,
  provider: ProviderApi,
): Promise<Page | undefined> {
  const url = apiUrl(settings.api_base_url, '/v1', `/pages/${id}`)
  return requestProvider(api(settings, provider), url, PageAnswer)
}

const api = ({ api_token: [token] }: Settings, provider: ProviderApi) => ({
  provider,
  name: 'Notion',
  headers: { authorization: `Bearer ${token}`, 'notion-version': version },
  check: 'api_token, and that the connection may read content',
})

const maxBlockPages = 5

/** The blocks of a page that are told, at most 500 looked at; `isCut` when there are more. */
export async function readBlocks(
  id: string,
  settings: Settings,
  provider: ProviderApi,
): Promise<{ blocks: TextBlock[]; isCut: boolean }> {
  const url = apiUrl(settings.api_base_url, '/v1', `/blocks/${id}/children`)
  url.searchParams.set('page_size', '100')
  const blocks: TextBlock[] = []
  for (let count = 0; count < maxBlockPages; count++) {
    const page = await requestProvider(api(settings, provider), url, BlockPage)
    blocks.push(...(page?.blocks ?? []))
    if (!page?.next) return { blocks, isCut: false }
    url.searchParams.set('start_cursor', page.next)
  }
  return { blocks, isCut: true }
}

/** The title, in whichever property the database keeps it. */
export function titleOf({ properties }: Page): string {
  for (const property of Object.values(properties)) {
    const { success, output } = v.safeParse(Title, property)
    if (success) return plainText(output.title)
  }
  return ''
}

/** The values chosen in a property; none when the page has no such property, or one of text. */
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

/** Whether the page stands in this database or data source. */
export function isIn({ parent }: Page, database: string): boolean {
  const plain = (id: string | undefined) => id?.replaceAll('-', '').toLowerCase()
  return [parent.database_id, parent.data_source_id].map(plain).includes(plain(database))
}
