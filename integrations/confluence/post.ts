import * as v from 'valibot'
import { apiUrl, type ProviderApi, requestProvider } from '../kit/requests/provider-request.ts'
import { providerText } from '../kit/text/plain-text.ts'
import type { Settings } from './settings.ts'

const Content = v.object({
  type: v.string(),
  status: v.string(),
  title: providerText,
  space: v.object({ key: v.string() }),
  body: v.object({ view: v.object({ value: providerText }) }),
  history: v.nullish(
    v.object({
      createdBy: v.nullish(v.object({ displayName: v.nullish(providerText, null) }), null),
    }),
    null,
  ),
  _links: v.object({ base: v.nullish(v.string(), null), webui: v.nullish(v.string(), null) }),
})

const Results = v.nullish(v.object({ results: v.array(v.unknown()) }), null)
const Restriction = v.object({ restrictions: v.object({ user: Results, group: Results }) })

/** A blog post that everybody who can open its space may read. */
export interface BlogPost {
  title: string
  /** HTML as Confluence shows it. */
  html: string
  author: string | null
  space: string
  url: string
}

/**
 * Reads a blog post; `undefined` when it does not exist, is not a published blog post, or the token may not read it, and
 * `restricted` when only some people may read it.
 * https://developer.atlassian.com/server/confluence/rest/v920/api-group-content-resource/
 */
export async function readPost(
  id: string,
  settings: Settings,
  provider: ProviderApi,
): Promise<BlogPost | 'restricted' | undefined> {
  const { base_url, access_token } = settings
  const api = {
    provider,
    name: 'Confluence',
    headers: { authorization: `Bearer ${access_token[0]}` },
    check: 'access_token, and that its owner may read the space',
  }
  const path = `/rest/api/content/${id}`
  const limits = apiUrl(base_url, '', `${path}/restriction/byOperation/read`)
  limits.searchParams.set('expand', 'restrictions.user,restrictions.group')
  const restriction = await requestProvider(api, limits, Restriction)
  if (restriction === undefined) return undefined
  const { user, group } = restriction.restrictions
  if ([user, group].some((list) => (list?.results.length ?? 0) > 0)) return 'restricted'
  const content = apiUrl(base_url, '', path)
  content.searchParams.set('expand', 'space,body.view,history')
  const found = await requestProvider(api, content, Content)
  if (found?.type !== 'blogpost' || found.status !== 'current') return undefined
  const { title, body, history, space, _links } = found
  return {
    title,
    html: body.view.value,
    author: history?.createdBy?.displayName ?? null,
    space: space.key,
    url: `${_links.base ?? base_url.replace(/\/+$/, '')}${_links.webui ?? ''}`,
  }
}
