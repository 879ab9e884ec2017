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
import type { Translate } from '../../messages/index.ts'
import { can } from '../../roles.ts'
import { BlockRow } from './block-row.tsx'
import { type LibraryFilter, libraryPath, parseLibraryFilter, toBlockFilter } from './filter.ts'
import { Filters, Tabs } from './filters.tsx'
import { Shortcuts } from './shortcuts.tsx'

const perPage = 30

async function show(context: MemberRequest): Promise<Response> {
  const { ctx, t } = context
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
    { title: t('common.library'), section: 'library', scripts: ['library.js'] },
    <>
      <PageHeader title={t('common.library')} lead={t('library.the_content_blocks')}>
        {canEdit ? (
          <a class="button primary" href="/library/new">
            <Icon name="plus" />
            {t('library.new_block')}
          </a>
        ) : null}
      </PageHeader>
      <UndoNotice context={context} />
      <ReviewNotice context={context} back={libraryPath(filter, { after: filter.after })} />
      <Tabs t={t} filter={filter} counts={counts} />
      <Filters t={t} filter={filter} />
      <p id="announcement" class="visually-hidden" role="status" />
      <div class="library">
        <section id="blocks" aria-label={t('library.blocks')}>
          <ReviewList
            context={context}
            filter={filter}
            blocks={blocks.items}
            isFirst={!filter.after}
          />
          <p class="row">
            {filter.after ? (
              <a href={attribute(libraryPath(filter))}>{t('library.newest')}</a>
            ) : null}
            {last ? (
              <a class="button" href={attribute(libraryPath(filter, { after: last.id }))}>
                {t('common.older')}
              </a>
            ) : null}
          </p>
        </section>
        <aside
          id="preview-panel"
          class="preview-panel"
          aria-label={t('library.preview_of_the_block')}
          data-requires-script
          hidden
        >
          <p class="muted">{t('library.select_a_block_to_preview')}</p>
        </aside>
      </div>
      <Shortcuts t={t} canEdit={canEdit} />
    </>,
  )
}

/** The block that was just deleted, with an undo button. */
async function UndoNotice({ context }: { context: MemberRequest }) {
  const { t } = context
  const id = context.url.searchParams.get('deleted')
  if (!id || !can(context.member.role, 'editor')) return ''
  const title = await findTrashed(context.ctx, id)
  if (title === null) return ''
  return (
    <div class="notice row" role="status">
      <span safe>{t('library.is_deleted', { title })}</span>
      <Form context={context} action={`/library/${encodeURIComponent(id)}/restore`}>
        <button type="submit" class="small">
          {t('common.undo')}
        </button>
      </Form>
    </div>
  )
}

/** The block that was just reviewed, with an undo button. */
async function ReviewNotice({ context, back }: { context: MemberRequest; back: string }) {
  const { t } = context
  const id = context.url.searchParams.get('reviewed')
  if (!id || !can(context.member.role, 'editor')) return ''
  const { title, status } = await getBlock(context.ctx, id)
  if (status === 'used') return ''
  return (
    <div class="notice success row" role="status">
      <span safe>
        {t(status === 'ready' ? 'library.is_approved' : 'library.is_a_draft_again', { title })}
      </span>
      <Form context={context} action={`/library/${encodeURIComponent(id)}/status`}>
        <input type="hidden" name="back" value={attribute(back)} />
        <button
          type="submit"
          class="small"
          name="to"
          value={status === 'ready' ? 'draft' : 'ready'}
        >
          {t('common.undo')}
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
  const { t } = context
  const canEdit = can(context.member.role, 'editor')
  if (blocks.length === 0 && !isFirst) return <p>{t('library.no_older_blocks')}</p>
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
      {blocks.length === 0 ? <EmptyState t={t} filter={filter} canEdit={canEdit} /> : null}
      {canEdit ? (
        <Form context={context} action="/library/bulk" class="bulk">
          <input type="hidden" name="back" value={attribute(back)} />
          <p class={blocks.length === 0 ? 'visually-hidden' : 'row bulk-actions'}>
            <span class="check" data-requires-script hidden>
              <input type="checkbox" id="select-all" />
              <label for="select-all">{t('library.select_all')}</label>
            </span>
            <button type="submit" class="small" name="to" value="ready">
              {t('library.approve_selected')}
            </button>
            <button type="submit" class="small" name="to" value="draft">
              {t('library.back_to_draft')}
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

function EmptyState({
  t,
  filter,
  canEdit,
}: {
  t: Translate
  filter: LibraryFilter
  canEdit: boolean
}) {
  const isUnfiltered = !filter.type && !filter.source && !filter.event && !filter.query
  if (!isUnfiltered) {
    return (
      <div class="empty" id="empty-state">
        <h2>{t('library.no_matching_blocks')}</h2>
        <p>
          <a href="/library?status=all">{t('library.show_all_blocks')}</a>
        </p>
      </div>
    )
  }
  return (
    <div class="empty" id="empty-state">
      <h2>{filter.tab === 'draft' ? t('library.no_drafts') : t('library.no_blocks_yet')}</h2>
      <p>
        {t.html('library.blocks_from_integrations', {
          link: (text) => <a href="/integrations">{text}</a>,
          link2: (text) => <a href="/docs">{text}</a>,
        })}
      </p>
      {canEdit ? (
        <a class="button" href="/library/new">
          {t('library.write_a_block')}
        </a>
      ) : null}
    </div>
  )
}

/** The blocks that are newer than the first one of a page, as rows for its list. */
async function showNewer(context: MemberRequest): Promise<Response> {
  const { t } = context
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
      <Tabs t={t} filter={{ ...filter, after: undefined }} counts={counts} />
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
