import { searchBlocks } from '../../../features/content-blocks/index.ts'
import { searchEvents } from '../../../features/events/index.ts'
import { searchNewsletters } from '../../../features/newsletters/index.ts'
import { blockStatusBadges } from '../../components/block.tsx'
import { formatDate } from '../../components/date-time.tsx'
import { Icon, type IconName } from '../../components/icon.tsx'
import type { MemberRequest } from '../../http/context.ts'
import type { TextKey } from '../../locales/index.ts'
import { newsletterStatusBadges } from '../newsletters/status-badges.ts'
import { type Destination, findDestinations } from './destinations.ts'

interface Result {
  path: string
  icon: IconName
  title: string
  /** The status or the date. */
  detail?: string
}

interface ResultGroup {
  title: TextKey
  results: readonly Result[]
}

const limit = 6

/** The newsletters, blocks and events with this text; nothing for an empty text. */
async function findContent(context: MemberRequest, text: string): Promise<ResultGroup[]> {
  const { ctx, t, reader } = context
  if (text === '') return []
  const wanted = { text, limit }
  const [newsletters, blocks, events] = await Promise.all([
    searchNewsletters(ctx, wanted),
    searchBlocks(ctx, wanted),
    searchEvents(ctx, { ...wanted, language: t.language }),
  ])
  return [
    {
      title: 'common.newsletters',
      results: newsletters.map(({ id, title, status }) => ({
        path: `/newsletters/${id}`,
        icon: 'newsletters',
        title,
        detail: t(newsletterStatusBadges[status].title),
      })),
    },
    {
      title: 'search.blocks',
      results: blocks.map(({ id, title, status }) => ({
        path: `/library/${id}`,
        icon: 'library',
        title,
        detail: t(blockStatusBadges[status].title),
      })),
    },
    {
      title: 'common.events',
      results: events.map(({ slug, name, event_date }) => ({
        path: `/events/${slug}`,
        icon: 'events',
        title: name,
        detail: formatDate(reader, event_date),
      })),
    },
  ]
}

/** Everything that a search finds, by what it is. */
export async function findResults(context: MemberRequest, text: string): Promise<ResultGroup[]> {
  const { actions, pages, settings } = findDestinations(context, text)
  const named = (destinations: readonly Destination[]): Result[] =>
    destinations.map(({ title, path, icon }) => ({ path, icon, title: context.t(title) }))
  const groups: ResultGroup[] = [
    ...(await findContent(context, text)),
    { title: 'search.actions', results: named(actions) },
    { title: 'search.go_to', results: named(pages) },
    { title: 'common.settings', results: named(settings) },
  ]
  return groups.filter(({ results }) => results.length > 0)
}

/** The results of a search. */
export function SearchResults({
  context: { t },
  text,
  groups,
}: {
  context: MemberRequest
  text: string
  groups: readonly ResultGroup[]
}) {
  const count = groups.flatMap(({ results }) => results).length
  return (
    <div id="search-results">
      <p class="visually-hidden" role="status" safe>
        {t('search.results', { count })}
      </p>
      {count === 0 ? (
        <p class="empty" safe>
          {t('search.nothing_found', { text })}
        </p>
      ) : null}
      {groups.map(({ title, results }) => (
        <section>
          <h2>{t(title)}</h2>
          <ul>
            {results.map((result) => (
              <li>
                <ResultLink {...result} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function ResultLink({ path, icon, title, detail }: Result) {
  return (
    <a href={path} class="search-result">
      <Icon name={icon} />
      <span class="search-result-title" safe>
        {title}
      </span>
      {detail ? (
        <span class="muted" safe>
          {detail}
        </span>
      ) : null}
    </a>
  )
}
