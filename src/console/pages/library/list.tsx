import { Elysia } from 'elysia'
import type { ContentBlock } from '../../../contract/content-block.ts'
import {
  countByStatus,
  findTrashed,
  getBlock,
  listBlocks,
} from '../../../features/content-blocks/index.ts'
import { attribute } from '../../attribute.ts'
import { Form } from '../../components/form/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import { fragment } from '../../http/responses.ts'
import { can } from '../../roles.ts'
import { BlockRow } from './block-row.tsx'
import { type LibraryFilter, libraryPath, parseLibraryFilter, toBlockFilter } from './filter.ts'
import { Filters, Tabs } from './filters.tsx'
import { Shortcuts } from './shortcuts.tsx'

const perPage = 30

async function show(context: MemberRequest): Promise<Response> {
  const { ctx } = context
  const filter = parseLibraryFilter(context.url)
  const page = { page: 1, perPage, ...(filter.after && { afterId: filter.after }) }
  const [blocks, counts] = await Promise.all([
    listBlocks(ctx, { filter: toBlockFilter(filter), page }),
    countByStatus(ctx),
  ])
  const canEdit = can(context.member.role, 'editor')
  const last = blocks.hasMore ? blocks.items.at(-1) : undefined
  return await layout(
    context,
    { title: 'Library', section: 'library', scripts: ['library.js'] },
    <>
      <PageHeader
        title="Library"
        lead="The content blocks of your team, from integrations, the API and people."
      >
        {canEdit ? (
          <a class="button primary" href="/library/new">
            <Icon name="plus" />
            New block
          </a>
        ) : null}
      </PageHeader>
      <UndoNotice context={context} />
      <ReviewNotice context={context} back={libraryPath(filter, { after: filter.after })} />
      <Tabs filter={filter} counts={counts} />
      <Filters filter={filter} />
      <p id="announcement" class="visually-hidden" role="status" />
      <div class="library">
        <section id="blocks" aria-label="Blocks">
          <ReviewList
            context={context}
            filter={filter}
            blocks={blocks.items}
            isFirst={!filter.after}
          />
          <p class="row">
            {filter.after ? <a href={attribute(libraryPath(filter))}>Newest</a> : null}
            {last ? (
              <a class="button" href={attribute(libraryPath(filter, { after: last.id }))}>
                Older
              </a>
            ) : null}
          </p>
        </section>
        <aside
          id="preview-panel"
          class="preview-panel"
          aria-label="Preview of the block"
          data-requires-script
          hidden
        >
          <p class="muted">Select a block to preview it.</p>
        </aside>
      </div>
      <Shortcuts canEdit={canEdit} />
    </>,
  )
}

/** The block that was just deleted, with an undo button. */
async function UndoNotice({ context }: { context: MemberRequest }) {
  const id = context.url.searchParams.get('deleted')
  if (!id || !can(context.member.role, 'editor')) return ''
  const title = await findTrashed(context.ctx, id)
  if (title === null) return ''
  return (
    <div class="notice row" role="status">
      <span safe>{`“${title}” is deleted.`}</span>
      <Form context={context} action={`/library/${encodeURIComponent(id)}/restore`}>
        <button type="submit" class="small">
          Undo
        </button>
      </Form>
    </div>
  )
}

/** The block that was just reviewed, with an undo button. */
async function ReviewNotice({ context, back }: { context: MemberRequest; back: string }) {
  const id = context.url.searchParams.get('reviewed')
  if (!id || !can(context.member.role, 'editor')) return ''
  const { title, status } = await getBlock(context.ctx, id)
  if (status === 'used') return ''
  const text = status === 'ready' ? 'is approved.' : 'is a draft again.'
  return (
    <div class="notice success row" role="status">
      <span safe>{`“${title}” ${text}`}</span>
      <Form context={context} action={`/library/${encodeURIComponent(id)}/status`}>
        <input type="hidden" name="back" value={attribute(back)} />
        <button
          type="submit"
          class="small"
          name="to"
          value={status === 'ready' ? 'draft' : 'ready'}
        >
          Undo
        </button>
      </Form>
    </div>
  )
}

interface ReviewListProps {
  context: MemberRequest
  filter: LibraryFilter
  blocks: readonly ContentBlock[]
  isFirst: boolean
}

function ReviewList({ context, filter, blocks, isFirst }: ReviewListProps) {
  const canEdit = can(context.member.role, 'editor')
  if (blocks.length === 0 && !isFirst) return <p>No older blocks.</p>
  const back = libraryPath(filter, { after: filter.after })
  // The empty list is rendered too, because the script inserts new blocks into it.
  const list = (
    <ul
      class="block-list"
      id="block-list"
      data-newer={
        isFirst ? attribute(libraryPath(filter).replace('/library?', '/library/newer?')) : undefined
      }
    >
      {blocks.map((block) => (
        <BlockRow context={context} block={block} canEdit={canEdit} />
      ))}
    </ul>
  )
  return (
    <>
      {blocks.length === 0 ? <EmptyState filter={filter} canEdit={canEdit} /> : null}
      {canEdit ? (
        <Form context={context} action="/library/bulk" class="bulk">
          <input type="hidden" name="back" value={attribute(back)} />
          <p class={blocks.length === 0 ? 'visually-hidden' : 'row bulk-actions'}>
            <span class="check" data-requires-script hidden>
              <input type="checkbox" id="select-all" />
              <label for="select-all">Select all</label>
            </span>
            <button type="submit" class="small" name="to" value="ready">
              Approve selected
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

function EmptyState({ filter, canEdit }: { filter: LibraryFilter; canEdit: boolean }) {
  const isUnfiltered = !filter.type && !filter.source && !filter.event && !filter.query
  if (!isUnfiltered) {
    return (
      <div class="empty" id="empty-state">
        <h2>No matching blocks</h2>
        <p>
          <a href="/library?status=all">Show all blocks</a>
        </p>
      </div>
    )
  }
  return (
    <div class="empty" id="empty-state">
      <h2>{filter.tab === 'draft' ? 'No drafts' : 'No blocks yet'}</h2>
      <p>
        Blocks from <a href="/integrations">integrations</a> and the <a href="/docs">API</a> appear
        here automatically.
      </p>
      {canEdit ? (
        <a class="button" href="/library/new">
          Write a block
        </a>
      ) : null}
    </div>
  )
}

/** The blocks that are newer than the first one of a page, as rows for its list. */
async function showNewer(context: MemberRequest): Promise<Response> {
  const { after = '', ...filter } = parseLibraryFilter(context.url)
  const found = await listBlocks(context.ctx, {
    filter: { ...toBlockFilter({ ...filter, after: undefined }), fromId: after || null },
    page: { page: 1, perPage },
  })
  const blocks = found.items.filter(({ id }) => id !== after)
  const counts = await countByStatus(context.ctx)
  const canEdit = can(context.member.role, 'editor')
  return await fragment(
    <>
      <Tabs filter={{ ...filter, after: undefined }} counts={counts} />
      <ul>
        {blocks.map((block) => (
          <BlockRow context={context} block={block} canEdit={canEdit} />
        ))}
      </ul>
    </>,
  )
}

/** Routes of the list of blocks. */
export const libraryListPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/library', show, { role: 'viewer' })
    .get('/library/newer', showNewer, { role: 'viewer' })
