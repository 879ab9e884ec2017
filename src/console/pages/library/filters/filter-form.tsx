import type { BlockStatus } from '../../../../contract/vocabulary.ts'
import { countByStatus } from '../../../../features/content-blocks/index.ts'
import { attribute } from '../../../attribute.ts'
import { blockSourceLabels, blockTypeLabels } from '../../../components/block.tsx'
import { eventName } from '../../../components/event.tsx'
import { Icon } from '../../../components/icon.tsx'
import type { MemberRequest } from '../../../http/context.ts'
import type { TextKey, Translate } from '../../../locales/index.ts'
import { type LibraryFilter, libraryPath, showsWholeTab, statusTabs, type Tab } from './filter.ts'

// The tabs say "1000+" above this number: counting further takes longer than reading the page.
const maxCounted = 1000

/** How many blocks of each status the tabs show. */
export const countTabs = ({ ctx }: MemberRequest): ReturnType<typeof countByStatus> =>
  countByStatus(ctx, { limit: maxCounted + 1 })

/**
 * The tabs, with the number of blocks in each unless a filter shows only some of them: counting what a filter
 * finds takes longer than reading the page.
 */
export function Tabs({
  t,
  filter,
  counts,
}: {
  t: Translate
  filter: LibraryFilter
  counts: ReadonlyMap<BlockStatus, number>
}) {
  const countOf = (tab: Tab) => {
    if (tab === 'all' || !showsWholeTab(filter)) return ''
    const count = counts.get(tab) ?? 0
    return count > maxCounted ? `${maxCounted}+` : String(count)
  }
  return (
    <nav
      class="tabs"
      id="tabs"
      data-drafts={String(counts.get('draft') ?? 0)}
      aria-label={t('common.status')}
    >
      {statusTabs.map(({ status, title }) => (
        <a
          href={attribute(libraryPath(filter, { tab: status }))}
          aria-current={status === filter.tab ? 'page' : undefined}
        >
          <span>{t(title)}</span>{' '}
          <span class="muted" safe>
            {countOf(status)}
          </span>
        </a>
      ))}
    </nav>
  )
}

/** The filter form; the URL contains its values. */
export async function Filters({
  context,
  filter,
  canEdit,
}: {
  context: MemberRequest
  filter: LibraryFilter
  canEdit: boolean
}) {
  const { t } = context
  const options = <Value extends string>(
    titles: Record<Value, TextKey>,
    selected: string | undefined,
  ) =>
    Object.entries<TextKey>(titles).map(([value, title]) => (
      <option value={value} selected={value === selected}>
        {t(title)}
      </option>
    ))
  return (
    <search>
      <form method="get" action="/library" id="filters" class="filters">
        <input type="hidden" name="status" value={filter.tab} />
        <label class="visually-hidden" for="q">
          {t('common.search')}
        </label>
        <input
          id="q"
          name="q"
          type="search"
          placeholder={t('common.search')}
          value={attribute(filter.query)}
          maxlength={200}
        />
        {canEdit ? (
          <label class="filter-toggle">
            <input
              id="assigned-to-me"
              type="checkbox"
              name="assignee"
              value="me"
              checked={filter.mine}
            />
            {t('library.assigned_to_me')}
          </label>
        ) : null}
        <label class="visually-hidden" for="type">
          {t('common.type')}
        </label>
        <select id="type" name="type">
          <option value="">{t('library.any_type')}</option>
          {options(blockTypeLabels, filter.type)}
        </select>
        <label class="visually-hidden" for="source">
          {t('library.source')}
        </label>
        <select id="source" name="source">
          <option value="">{t('library.any_source')}</option>
          {options(blockSourceLabels, filter.source)}
        </select>
        {filter.event ? (
          <>
            <input type="hidden" name="event" value={attribute(filter.event)} />
            <span class="filter-chip">
              <span safe>
                {t('library.of_event', { event: await eventName(context, filter.event) })}
              </span>
              <a
                href={attribute(libraryPath(filter, { event: '' }))}
                aria-label={t('library.remove_filter')}
              >
                <Icon name="close" />
              </a>
            </span>
          </>
        ) : null}
        <button type="submit">{t('library.filter')}</button>
      </form>
    </search>
  )
}
