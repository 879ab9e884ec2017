import type { BlockStatus } from '../../../contract/vocabulary.ts'
import { countLimit } from '../../../lib/pagination.ts'
import { attribute } from '../../attribute.ts'
import { blockSourceLabels, blockTypeLabels } from '../../components/block.tsx'
import { type LibraryFilter, libraryPath, statusTabs, type Tab } from './filter.ts'

/** The tabs with the number of blocks in each. */
export function Tabs({
  filter,
  counts,
}: {
  filter: LibraryFilter
  counts: ReadonlyMap<BlockStatus, number>
}) {
  const countOf = (tab: Tab) => {
    const count = tab === 'all' ? undefined : (counts.get(tab) ?? 0)
    if (count === undefined) return ''
    return count > countLimit ? `${countLimit}+` : String(count)
  }
  return (
    <nav class="tabs" id="tabs" aria-label="Status">
      {statusTabs.map(({ status, title }) => (
        <a
          href={attribute(libraryPath(filter, { tab: status }))}
          aria-current={status === filter.tab ? 'page' : undefined}
        >
          <span>{title}</span>{' '}
          <span class="muted" safe>
            {countOf(status)}
          </span>
        </a>
      ))}
    </nav>
  )
}

// Nothing creates blocks with the source `submission` yet.
const { submission: _, ...filterSources } = blockSourceLabels

/** The filter form; the URL contains its values. */
export function Filters({ filter }: { filter: LibraryFilter }) {
  const options = <Value extends string>(
    titles: Record<Value, string>,
    selected: string | undefined,
  ) =>
    Object.entries<string>(titles).map(([value, title]) => (
      <option value={value} selected={value === selected} safe>
        {title}
      </option>
    ))
  return (
    <search>
      <form method="get" action="/library" id="filters" class="filters">
        <input type="hidden" name="status" value={filter.tab} />
        <label class="visually-hidden" for="q">
          Search
        </label>
        <input
          id="q"
          name="q"
          type="search"
          placeholder="Search"
          value={attribute(filter.query)}
          maxlength={200}
        />
        <label class="visually-hidden" for="type">
          Type
        </label>
        <select id="type" name="type">
          <option value="">Any type</option>
          {options(blockTypeLabels, filter.type)}
        </select>
        <label class="visually-hidden" for="source">
          Source
        </label>
        <select id="source" name="source">
          <option value="">Any source</option>
          {options(filterSources, filter.source)}
        </select>
        <label class="visually-hidden" for="event">
          Event
        </label>
        <input
          id="event"
          name="event"
          placeholder="Event, for example winter-break"
          value={attribute(filter.event)}
          maxlength={200}
        />
        <button type="submit">Filter</button>
      </form>
    </search>
  )
}
