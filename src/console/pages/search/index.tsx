import { Elysia } from 'elysia'
import { attribute } from '../../attribute.ts'
import { Icon } from '../../components/icon.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import { fragment } from '../../http/responses.ts'
import { findResults, SearchResults } from './results.tsx'

const maxCharacters = 200

/** The search page, or only its results for the command palette. */
async function show(context: MemberRequest): Promise<Response> {
  const { t, url, request } = context
  const typed = url.searchParams.get('q') ?? ''
  const text = [...typed.trim()].slice(0, maxCharacters).join('')
  const opened = (url.searchParams.get('opened') ?? '').split(',')
  const groups = await findResults(context, text, opened)
  const results = <SearchResults context={context} text={text} groups={groups} />
  if (request.headers.get('hx-request') === 'true') return await fragment(results)
  return await layout(
    context,
    { title: t('common.search'), section: 'search', isCompressed: true },
    <div class="search-page">
      <PageHeader title={t('common.search')} />
      <search>
        <form action="/search" class="search-form">
          <label for="search-text" class="visually-hidden">
            {t('search.what')}
          </label>
          <input
            id="search-text"
            type="search"
            name="q"
            value={attribute(text)}
            maxlength={maxCharacters}
            placeholder={t('search.what')}
            autocomplete="off"
          />
          <button type="submit" class="primary">
            <Icon name="search" />
            {t('common.search')}
          </button>
        </form>
      </search>
      {results as 'safe'}
    </div>,
  )
}

/** The route of the search. */
export const searchPages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get('/search', show, { role: 'viewer' })
