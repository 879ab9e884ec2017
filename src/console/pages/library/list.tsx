import { Elysia } from 'elysia'
import type { ContentBlock } from '../../../contract/content-block.ts'
import {
  countByStatus,
  findTrashed,
  getBlock,
  listBlocks,
} from '../../../features/content-blocks/index.ts'
import { attribute } from '../../attribute.ts'
import { Form } from '../../components/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { layout, PageHead } from '../../components/screen.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import { fragment } from '../../http/responses.ts'
import { can } from '../../roles.ts'
import { filterOf, type LibraryFilter, libraryPath, parseLibraryFilter } from './filter.ts'
import { Filters, Tabs } from './filters.tsx'
import { Item } from './item.tsx'
import { Shortcuts } from './shortcuts.tsx'

const perPage = 30

async function show(context: MemberRequest): Promise<Response> {
  const { sql } = context.deps
  const wanted = parseLibraryFilter(context.url)
  const asked = { page: 1, perPage, ...(wanted.after && { afterId: wanted.after }) }
  const [blocks, counts] = await Promise.all([
    listBlocks(sql, context.teamId, filterOf(wanted), asked),
    countByStatus(sql, context.teamId),
  ])
  const mayEdit = can(context.member.role, 'editor')
  const last = blocks.hasMore ? blocks.items.at(-1) : undefined
  return await layout(
    context,
    { title: 'Library', section: 'library', scripts: ['library.js'] },
    <>
      <PageHead
        title="Library"
        lead="The content blocks of your team, from integrations, the API and people."
      >
        {mayEdit ? (
          <a class="button primary" href="/library/new">
            <Icon name="plus" />
            New block
          </a>
        ) : null}
      </PageHead>
      <UndoNotice context={context} />
      <ReviewNotice context={context} back={libraryPath(wanted, { after: wanted.after })} />
      <Tabs wanted={wanted} counts={counts} />
      <Filters wanted={wanted} />
      <p id="announcement" class="visually-hidden" role="status" />
      <div class="library">
        <section aria-label="Blocks">
          <Inbox context={context} wanted={wanted} blocks={blocks.items} isFirst={!wanted.after} />
          <p class="row">
            {wanted.after ? <a href={attribute(libraryPath(wanted))}>Newest</a> : null}
            {last ? (
              <a class="button" href={attribute(libraryPath(wanted, { after: last.id }))}>
                Older
              </a>
            ) : null}
          </p>
        </section>
        <aside id="pane" class="pane" aria-label="Preview of the block" data-script hidden>
          <p class="quiet">Select a block to preview it.</p>
        </aside>
      </div>
      <Shortcuts mayEdit={mayEdit} />
    </>,
  )
}

/** What was deleted a moment ago, with the way back. */
async function UndoNotice({ context }: { context: MemberRequest }) {
  const id = context.url.searchParams.get('deleted')
  if (!id || !can(context.member.role, 'editor')) return ''
  const { sql, now } = context.deps
  const title = await findTrashed(sql, now, context.teamId, id)
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

/** Which block was reviewed a moment ago, with a button that undoes it. */
async function ReviewNotice({ context, back }: { context: MemberRequest; back: string }) {
  const id = context.url.searchParams.get('reviewed')
  if (!id || !can(context.member.role, 'editor')) return ''
  const { title, status } = await getBlock(context.deps.sql, context.teamId, id)
  if (status === 'used') return ''
  const words = status === 'ready' ? 'is approved.' : 'is a draft again.'
  return (
    <div class="notice good row" role="status">
      <span safe>{`“${title}” ${words}`}</span>
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

interface InboxProps {
  context: MemberRequest
  wanted: LibraryFilter
  blocks: readonly ContentBlock[]
  isFirst: boolean
}

function Inbox({ context, wanted, blocks, isFirst }: InboxProps) {
  const mayEdit = can(context.member.role, 'editor')
  if (blocks.length === 0 && !isFirst) return <p>No older blocks.</p>
  const back = libraryPath(wanted, { after: wanted.after })
  // The list is there when it is empty, too: what comes in shows up in it.
  const list = (
    <ul
      class="inbox"
      id="inbox"
      data-newer={
        isFirst ? attribute(libraryPath(wanted).replace('/library?', '/library/newer?')) : undefined
      }
    >
      {blocks.map((block) => (
        <Item deps={context.deps} block={block} mayEdit={mayEdit} />
      ))}
    </ul>
  )
  return (
    <>
      {blocks.length === 0 ? <NothingHere wanted={wanted} mayEdit={mayEdit} /> : null}
      {mayEdit ? (
        <Form context={context} action="/library/bulk" class="bulk">
          <input type="hidden" name="back" value={attribute(back)} />
          <p class={blocks.length === 0 ? 'visually-hidden' : 'row bulk-actions'}>
            <span class="check" data-script hidden>
              <input type="checkbox" id="choose-all" />
              <label for="choose-all">Select all</label>
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

function NothingHere({ wanted, mayEdit }: { wanted: LibraryFilter; mayEdit: boolean }) {
  const isPlain = !wanted.type && !wanted.source && !wanted.event && !wanted.words
  if (!isPlain) {
    return (
      <div class="empty" id="nothing">
        <h2>No matching blocks</h2>
        <p>
          <a href="/library?status=all">Show all blocks</a>
        </p>
      </div>
    )
  }
  return (
    <div class="empty" id="nothing">
      <h2>{wanted.tab === 'draft' ? 'No drafts' : 'No blocks yet'}</h2>
      <p>
        Blocks from <a href="/integrations">integrations</a> and the <a href="/docs">API</a> appear
        here automatically.
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
async function newer(context: MemberRequest): Promise<Response> {
  const { after = '', ...wanted } = parseLibraryFilter(context.url)
  const filter = { ...filterOf({ ...wanted, after: undefined }), fromId: after || null }
  const found = await listBlocks(context.deps.sql, context.teamId, filter, { page: 1, perPage })
  const blocks = found.items.filter(({ id }) => id !== after)
  const counts = await countByStatus(context.deps.sql, context.teamId)
  const mayEdit = can(context.member.role, 'editor')
  return await fragment(
    <>
      <Tabs wanted={{ ...wanted, after: undefined }} counts={counts} />
      <ul>
        {blocks.map((block) => (
          <Item deps={context.deps} block={block} mayEdit={mayEdit} />
        ))}
      </ul>
    </>,
  )
}

/** The inbox of what came in. */
export const libraryListPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/library', show, { role: 'viewer' })
    .get('/library/newer', newer, { role: 'viewer' })
