import type { ContentBlock } from '../../../contract/content-block.ts'
import { countByStatus, findTrashed, listBlocks } from '../../../features/content-blocks/index.ts'
import { attribute } from '../../attribute.ts'
import { Form } from '../../components/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { layout, PageHead } from '../../components/screen.tsx'
import { type MemberRequest, page, type Route } from '../../page.ts'
import { fragment } from '../../responses.ts'
import { can } from '../../roles.ts'
import { filterOf, type LibraryFilter, libraryPath, parseLibraryFilter } from './filter.ts'
import { Filters, Tabs } from './filters.tsx'
import { Item } from './item.tsx'
import { Shortcuts } from './shortcuts.tsx'

const perPage = 30

const show = page('/library', 'viewer', async (visit) => {
  const { sql } = visit.deps
  const wanted = parseLibraryFilter(visit.url)
  const asked = { page: 1, perPage, ...(wanted.after && { afterId: wanted.after }) }
  const [blocks, counts] = await Promise.all([
    listBlocks(sql, visit.teamId, filterOf(wanted), asked),
    countByStatus(sql, visit.teamId),
  ])
  const mayEdit = can(visit.member.role, 'editor')
  const last = blocks.hasMore ? blocks.items.at(-1) : undefined
  return await layout(
    visit,
    { title: 'Library', section: 'library', scripts: ['library.js'] },
    <>
      <PageHead title="Library" lead="Everything that came in, and what people wrote here.">
        {mayEdit ? (
          <a class="button primary" href="/library/new">
            <Icon name="plus" />
            New block
          </a>
        ) : null}
      </PageHead>
      <UndoNotice visit={visit} />
      <Tabs wanted={wanted} counts={counts} />
      <Filters wanted={wanted} />
      <p id="heard" class="visually-hidden" role="status" />
      <div class="library">
        <section aria-label="Blocks">
          <Inbox visit={visit} wanted={wanted} blocks={blocks.items} isFirst={!wanted.after} />
          <p class="row">
            {wanted.after ? <a href={attribute(libraryPath(wanted))}>Newest</a> : null}
            {last ? (
              <a class="button" href={attribute(libraryPath(wanted, { after: last.id }))}>
                Older
              </a>
            ) : null}
          </p>
        </section>
        <aside id="pane" class="pane" aria-label="The block as it will look" data-script hidden>
          <p class="quiet">Choose a block to see it as it will look.</p>
        </aside>
      </div>
      <Shortcuts mayEdit={mayEdit} />
    </>,
  )
})

/** What was deleted a moment ago, with the way back. */
async function UndoNotice({ visit }: { visit: MemberRequest }) {
  const id = visit.url.searchParams.get('deleted')
  if (!id || !can(visit.member.role, 'editor')) return ''
  const { sql, now } = visit.deps
  const title = await findTrashed(sql, now, visit.teamId, id)
  if (title === null) return ''
  return (
    <div class="notice row" role="status">
      <span safe>{`“${title}” is deleted.`}</span>
      <Form visit={visit} action={`/library/${encodeURIComponent(id)}/restore`}>
        <button type="submit" class="small">
          Undo
        </button>
      </Form>
    </div>
  )
}

interface InboxProps {
  visit: MemberRequest
  wanted: LibraryFilter
  blocks: readonly ContentBlock[]
  isFirst: boolean
}

function Inbox({ visit, wanted, blocks, isFirst }: InboxProps) {
  const mayEdit = can(visit.member.role, 'editor')
  if (blocks.length === 0 && !isFirst) return <p>Nothing older.</p>
  const back = libraryPath(wanted)
  // The list is there when it is empty, too: what comes in shows up in it.
  const list = (
    <ul
      class="inbox"
      id="inbox"
      data-newer={isFirst ? attribute(back.replace('/library?', '/library/newer?')) : undefined}
    >
      {blocks.map((block) => (
        <Item block={block} mayEdit={mayEdit} />
      ))}
    </ul>
  )
  return (
    <>
      {blocks.length === 0 ? <NothingHere wanted={wanted} mayEdit={mayEdit} /> : null}
      {mayEdit ? (
        <Form visit={visit} action="/library/bulk" class="bulk">
          <input type="hidden" name="back" value={attribute(back)} />
          <p class={blocks.length === 0 ? 'visually-hidden' : 'row bulk-actions'}>
            <button type="submit" class="small" name="to" value="ready">
              Approve chosen
            </button>
            <button type="submit" class="small" name="to" value="draft">
              Back to draft
            </button>
          </p>
          {list}
        </Form>
      ) : (
        list
      )}
    </>
  )
}

function NothingHere({ wanted, mayEdit }: { wanted: LibraryFilter; mayEdit: boolean }) {
  const isPlain = !wanted.type && !wanted.source && !wanted.event && !wanted.words
  if (!isPlain) {
    return (
      <div class="empty" id="nothing">
        <h2>Nothing matches</h2>
        <p>
          <a href="/library?status=all">Show everything</a>
        </p>
      </div>
    )
  }
  return (
    <div class="empty" id="nothing">
      <h2>{wanted.tab === 'draft' ? 'Nothing to review' : 'Nothing here yet'}</h2>
      <p>
        News comes in from <a href="/integrations">integrations</a> and through the{' '}
        <a href="/docs">API</a>, and shows up here by itself.
      </p>
      {mayEdit ? (
        <a class="button" href="/library/new">
          Write a block
        </a>
      ) : null}
    </div>
  )
}

/** What came in since the newest block that a page shows, as items for its list. */
const newer = page('/library/newer', 'viewer', async (visit) => {
  const { after = '', ...wanted } = parseLibraryFilter(visit.url)
  const filter = { ...filterOf({ ...wanted, after: undefined }), fromId: after || null }
  const found = await listBlocks(visit.deps.sql, visit.teamId, filter, { page: 1, perPage })
  const blocks = found.items.filter(({ id }) => id !== after)
  const mayEdit = can(visit.member.role, 'editor')
  return await fragment(
    <ul>
      {blocks.map((block) => (
        <Item block={block} mayEdit={mayEdit} />
      ))}
    </ul>,
  )
})

/** The inbox of what came in. */
export const libraryRoutes: readonly Route[] = [show, newer]
