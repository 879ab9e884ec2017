import type { ContentBlock } from '../../../contract/content-block.ts'
import type { Newsletter } from '../../../contract/newsletter.ts'
import { blockTypes } from '../../../contract/vocabulary.ts'
import { listBlocks } from '../../../features/content-blocks/index.ts'
import type { Page } from '../../../lib/pagination.ts'
import { htmlToText } from '../../../lib/sanitize-html.ts'
import { attribute } from '../../attribute.ts'
import { statusLooks, typeTitles } from '../../components/block.tsx'
import { Form } from '../../components/form.tsx'
import { Icon } from '../../components/icon.tsx'
import type { MemberRequest } from '../../http/context.ts'
import { DragHandle } from './block-list.tsx'
import { queryOf, type View } from './view.ts'
import { dayWords } from './words.ts'

const perPage = 12

/** The blocks of the library that a view asks for, newest first. */
export async function loadLibraryPanel(
  context: MemberRequest,
  view: View,
): Promise<Page<ContentBlock>> {
  const filter = {
    status: view.status === 'all' ? [] : [view.status],
    blockType: view.type ? [view.type] : [],
    ...{ source: [], eventSlug: [], fromId: null, beforeId: null },
    words: view.q.trim() || null,
  }
  const page = { page: 1, perPage, ...(view.after && { afterId: view.after }) }
  return await listBlocks(context.deps.sql, context.teamId, filter, page)
}

interface ShelfProps {
  context: MemberRequest
  newsletter: Newsletter
  blocks: Page<ContentBlock>
  view: View
}

/** The library beside the issue: find a block, add it. */
export function LibraryPanel({
  context,
  newsletter,
  blocks: { items, hasMore },
  view,
}: ShelfProps) {
  const path = `/newsletters/${newsletter.id}`
  const taken = new Set(newsletter.blocks.map(({ content_block }) => content_block.id))
  const last = items.at(-1)
  return (
    <section id="shelf" data-part aria-labelledby="shelf-title">
      <h2 id="shelf-title" class="pane-title">
        Library
      </h2>
      <Finder path={path} view={view} />
      {items.length === 0 ? <NothingFound view={view} /> : null}
      <Form context={context} action={`${path}/blocks`}>
        <input type="hidden" name="view" value={attribute(queryOf(view))} />
        <ul class="shelf" data-sort="shelf">
          {items.map((block) => (
            <ShelfBlock block={block} taken={taken.has(block.id)} at={context.deps.now()} />
          ))}
        </ul>
      </Form>
      <p class="row">
        {view.after ? (
          <a data-swap href={attribute(path + queryOf({ ...view, after: '' }))}>
            Newest
          </a>
        ) : null}
        {hasMore && last ? (
          <a
            class="button small"
            data-swap
            href={attribute(path + queryOf({ ...view, after: last.id }))}
          >
            Older
          </a>
        ) : null}
      </p>
    </section>
  )
}

const shelves = [
  { value: 'ready', title: 'Ready' },
  { value: 'draft', title: 'Drafts' },
  { value: 'used', title: 'Used' },
  { value: 'all', title: 'All' },
] as const

function Finder({ path, view }: { path: string; view: View }) {
  return (
    <form id="finder" class="finder" action={path} method="get" aria-label="Find blocks" data-swap>
      {(['pane', 'width', 'scheme', 'images'] as const).map((name) => (
        <input type="hidden" name={name} value={view[name]} />
      ))}
      <input
        id="finder-q"
        type="search"
        name="q"
        value={attribute(view.q)}
        placeholder="Search"
        aria-label="Search the library"
        maxlength={200}
      />
      <select id="finder-status" name="status" aria-label="Status">
        {shelves.map(({ value, title }) => (
          <option value={value} selected={value === view.status}>
            {title}
          </option>
        ))}
      </select>
      <select id="finder-type" name="type" aria-label="Type">
        <option value="">Any type</option>
        {blockTypes.map((type) => (
          <option value={type} selected={type === view.type}>
            {typeTitles[type]}
          </option>
        ))}
      </select>
      <button type="submit" id="finder-go" class="small">
        Search
      </button>
    </form>
  )
}

function NothingFound({ view }: { view: View }) {
  const filtered = view.q !== '' || view.type !== '' || view.status !== 'ready'
  return (
    <div class="empty small-empty">
      {filtered ? (
        <p>No matching blocks. Change the search or the status.</p>
      ) : (
        <p>
          No block is ready. Approve drafts in the <a href="/library">library</a>, or select
          “Drafts” above.
        </p>
      )}
    </div>
  )
}

function ShelfBlock({ block, taken, at }: { block: ContentBlock; taken: boolean; at: Date }) {
  const { id, title, block_type, status, publish_after } = block
  const held = publish_after !== null && new Date(publish_after) > at
  return (
    <li class="shelf-block" data-block={taken ? undefined : id}>
      {taken ? null : <DragHandle />}
      <div class="place-words">
        <a href={`/library/${id}`} safe>
          {title}
        </a>
        <p class="excerpt" safe>
          {excerptOf(block)}
        </p>
        <div class="badges">
          <span class="badge">{typeTitles[block_type]}</span>
          {status === 'ready' ? null : (
            <span class={`badge ${statusLooks[status].tone}`}>{statusLooks[status].title}</span>
          )}
          {held ? (
            <span
              class="badge warn"
              safe
            >{`Not before ${dayWords(publish_after.slice(0, 10))}`}</span>
          ) : null}
        </div>
      </div>
      {taken ? (
        <span class="taken">
          <Icon name="check" /> Added
        </span>
      ) : (
        <button
          type="submit"
          class="small"
          id={`add-${id}`}
          name="add"
          value={id}
          aria-label={`Add ${attribute(`“${title}”`)}`}
        >
          <Icon name="plus" /> Add
        </button>
      )}
    </li>
  )
}

const excerptCharacters = 110
// Between them, words do not run on.
const blockTags = /<(?:br|hr|\/?(?:p|div|li|ul|ol|h[1-6]|blockquote|pre|tr|td|th))\b/gi

/** The first words of a block, as they were written. */
function excerptOf({ body, body_format }: ContentBlock): string {
  const begin = body.slice(0, 4000)
  const plain =
    body_format === 'html' ? decoded(htmlToText(begin.replaceAll(blockTags, ' $&'))) : begin
  const words = [...plain.replaceAll(/\s+/g, ' ').trim()]
  return words.length > excerptCharacters
    ? `${words.slice(0, excerptCharacters).join('')}…`
    : words.join('')
}

/** Undoes what `textOf` escapes. */
const decoded = (escaped: string) =>
  escaped.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
