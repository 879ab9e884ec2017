import { searchBlocks } from '../../../features/content-blocks/index.ts'
import { searchEvents } from '../../../features/events/index.ts'
import { searchNewsletters } from '../../../features/newsletters/index.ts'
import { attribute } from '../../attribute.ts'
import { blockStatusBadges } from '../../components/block.tsx'
import { formatDate } from '../../components/dates/date-time.tsx'
import { Form } from '../../components/form/form.tsx'
import { Icon, type IconName } from '../../components/icon.tsx'
import type { MemberRequest } from '../../http/context.ts'
import type { TextKey } from '../../locales/index.ts'
import { newsletterStatusBadges } from '../newsletters/status-badges.ts'
import { type Destination, findDestinations, hasWords } from './destinations.ts'
import { findOpened } from './recently-opened.ts'

interface Result {
  path: string
  /** The fields of the form that is sent to the path; a link when there are none. */
  fields?: Readonly<Record<string, string>>
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
  const { ctx, t, userLocale } = context
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
        detail: formatDate(userLocale, event_date),
      })),
    },
  ]
}

/** What is done at once: switching to another team and signing out. */
function findForms({ t, member, memberships }: MemberRequest, text: string): Result[] {
  const teams = memberships.filter(({ team_id }) => team_id !== member.team_id)
  const forms: Result[] = [
    ...teams.map(({ team_id, team_name }) => ({
      path: '/account/team',
      fields: { team: team_id },
      icon: 'people' as const,
      title: t('search.switch_to', { team: team_name }),
    })),
    { path: '/logout', fields: {}, icon: 'signOut', title: t('layout.sign_out') },
  ]
  return forms.filter(({ title }) => hasWords(title, text))
}

/**
 * Everything that a search finds, by what it is. Without a text, also the items that were opened last. Actions,
 * pages and settings whose name begins with the text are before the content.
 */
export async function findResults(
  context: MemberRequest,
  text: string,
  opened: readonly string[],
): Promise<ResultGroup[]> {
  const { actions, pages, settings } = findDestinations(context, text)
  const named = (destinations: readonly Destination[]): Result[] =>
    destinations.map(({ title, path, icon, detail }) => ({
      path,
      icon,
      title: context.t(title),
      ...(detail && { detail: context.t(detail) }),
    }))
  const recent = text === '' ? await findOpened(context, opened) : []
  const begins = ({ title }: Result) => title.toLowerCase().startsWith(text.toLowerCase())
  const sorted = (results: readonly Result[]) =>
    results.toSorted((one, other) => Number(begins(other)) - Number(begins(one)))
  const commands: ResultGroup[] = [
    { title: 'search.actions', results: sorted([...named(actions), ...findForms(context, text)]) },
    { title: 'search.go_to', results: sorted(named(pages)) },
    { title: 'common.settings', results: sorted(named(settings)) },
  ]
  const groups: ResultGroup[] = [
    {
      title: 'search.recently_opened',
      results: recent.map(({ section, path, title }) => ({ icon: section, path, title })),
    },
    ...commands.filter(({ results }) => results.some(begins)),
    ...(await findContent(context, text)),
    ...commands.filter(({ results }) => !results.some(begins)),
  ]
  return groups.filter(({ results }) => results.length > 0)
}

/** The results of a search. */
export function SearchResults({
  context,
  text,
  groups,
}: {
  context: MemberRequest
  text: string
  groups: readonly ResultGroup[]
}) {
  const { t } = context
  const count = groups.flatMap(({ results }) => results).length
  return (
    <div id="search-results">
      <p class="visually-hidden" safe>
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
                {result.fields ? (
                  <ResultButton context={context} result={result} fields={result.fields} />
                ) : (
                  <ResultLink result={result} />
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function ResultLink({ result }: { result: Result }) {
  return (
    <a href={result.path} class="search-result">
      <ResultText {...result} />
    </a>
  )
}

interface ResultButtonProps {
  context: MemberRequest
  result: Result
  fields: Readonly<Record<string, string>>
}

function ResultButton({ context, result, fields }: ResultButtonProps) {
  return (
    <Form context={context} action={result.path}>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={attribute(value)} />
      ))}
      <button type="submit" class="search-result">
        <ResultText {...result} />
      </button>
    </Form>
  )
}

function ResultText({ icon, title, detail }: Result) {
  return (
    <>
      <Icon name={icon} />
      <span class="search-result-title" safe>
        {title}
      </span>
      {detail ? (
        <span class="muted" safe>
          {detail}
        </span>
      ) : null}
    </>
  )
}
