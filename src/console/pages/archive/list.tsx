import {
  type ArchiveTeamRow,
  archiveTexts,
  type ListedNewsletter,
  listArchive,
  shownTime,
} from '../../../features/archive/index.ts'
import { attribute } from '../../attribute.ts'
import type { ConsoleRequest } from '../../http/context.ts'
import { ArchiveDocument } from './document.tsx'
import { archiveResponse, pagePolicy } from './response.ts'

const newsletterId = /^nl_[0-9a-f]{32}$/

/** What the address of a list asks for. */
interface ListView {
  query: string
  /** The last newsletter of the page before; null for the first page. */
  afterId: string | null
}

function viewOf({ searchParams }: URL): ListView {
  const before = searchParams.get('before') ?? ''
  return {
    query: (searchParams.get('q') ?? '').trim().slice(0, 200),
    afterId: newsletterId.test(before) ? before : null,
  }
}

/** All newsletters of an archive, newest first, with a search. */
export async function showList(context: ConsoleRequest, team: ArchiveTeamRow): Promise<Response> {
  const { deps, url } = context
  const view = viewOf(url)
  const filter = { teamId: team.team_id, words: view.query || null, afterId: view.afterId }
  const { newsletters, hasMore } = await listArchive(deps, filter)
  const texts = archiveTexts(team.language)
  const path = `/archive/${team.archive_token}`
  const isEmpty = newsletters.length === 0 && view.query === '' && view.afterId === null
  const lastId = hasMore ? newsletters.at(-1)?.id : undefined
  const body = await (
    <ArchiveDocument
      icon={deps.assets['icon.svg'].path}
      {...{ team, texts, path, title: texts.title }}
      styles={<link rel="stylesheet" href={deps.assets['archive.css'].path} />}
    >
      <div class="archive-list">
        <h1 safe>{texts.title}</h1>
        {isEmpty ? null : <SearchForm {...{ texts, path, view }} />}
        {newsletters.length === 0 ? (
          <p safe>{view.query ? texts.nothing(view.query) : texts.empty}</p>
        ) : (
          <ul>
            {newsletters.map((newsletter) => (
              <Entry {...{ newsletter, texts, path }} />
            ))}
          </ul>
        )}
        <PageLinks {...{ texts, path, view, lastId }} />
      </div>
    </ArchiveDocument>
  )
  return archiveResponse(context, {
    body: `<!doctype html>${body}`,
    contentType: 'text/html; charset=utf-8',
    policy: pagePolicy,
  })
}

interface ListProps {
  texts: ReturnType<typeof archiveTexts>
  /** The path of the archive. */
  path: string
  view: ListView
}

function SearchForm({ texts, path, view: { query } }: ListProps) {
  return (
    <search>
      <form action={path}>
        <input
          type="search"
          name="q"
          value={attribute(query)}
          maxlength={200}
          aria-label={texts.searchLabel}
        />
        <button type="submit" safe>
          {texts.search}
        </button>
      </form>
    </search>
  )
}

/** Links to the first page and to the page after the newsletter `lastId`, where there are any. */
function PageLinks({
  texts,
  path,
  view: { query, afterId },
  lastId,
}: ListProps & { lastId: string | undefined }) {
  const isFirst = afterId === null && query === ''
  if (isFirst && lastId === undefined) return ''
  const next = new URLSearchParams({ ...(query && { q: query }), before: lastId ?? '' })
  return (
    <nav class="archive-pages" aria-label={texts.title}>
      {isFirst ? null : (
        <a href={path} safe>
          {texts.title}
        </a>
      )}
      {lastId === undefined ? null : (
        <a href={attribute(`${path}?${next}`)} rel="next" safe>
          {texts.older}
        </a>
      )}
    </nav>
  )
}

interface EntryProps extends Omit<ListProps, 'view'> {
  newsletter: ListedNewsletter
}

function Entry({ newsletter, texts, path }: EntryProps) {
  const { id, title, preheader_text, excerpt } = newsletter
  const shown = shownTime(newsletter)
  return (
    <li>
      <a class="archive-entry" href={`${path}/${id}`} safe>
        {title}
      </a>
      <time datetime={shown.toISOString().slice(0, 10)} safe>
        {texts.date(shown)}
      </time>
      {excerpt ? <Excerpt parts={excerpt} /> : null}
      {preheader_text && !excerpt ? <p safe>{preheader_text}</p> : null}
    </li>
  )
}

function Excerpt({ parts }: { parts: NonNullable<ListedNewsletter['excerpt']> }) {
  return (
    <p>
      {parts.map(({ text, isMatch }) =>
        isMatch ? <mark safe>{text}</mark> : <span safe>{text}</span>,
      )}
    </p>
  )
}
