import { Elysia } from 'elysia'
import * as v from 'valibot'
import { getPersonalSettings } from '../../../features/accounts/index.ts'
import {
  findChangedBlocks,
  listBlocks,
  listDeclined,
} from '../../../features/content-blocks/index.ts'
import { notFound } from '../../../lib/errors.ts'
import { attribute } from '../../attribute.ts'
import { Icon, IconSymbols } from '../../components/icon.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import { accountContext, type ConsoleDeps, type MemberRequest } from '../../http/context.ts'
import { fragment } from '../../http/responses.ts'
import type { Translate } from '../../locales/index.ts'
import { can } from '../../roles.ts'
import { rowIcons } from './block-row.tsx'
import { blockRows } from './edit/in-place.tsx'
import {
  type LibraryFilter,
  libraryPath,
  parseLibraryFilter,
  toBlockFilter,
} from './filters/filter.ts'
import { countTabs, Filters, Tabs } from './filters/filter-form.tsx'
import { SavedFilters } from './filters/saved-filters.tsx'
import { ReviewNotice, UndoNotice } from './notices.tsx'
import { ReviewList } from './review/review-list.tsx'
import { SeenVersion } from './review/seen-version.ts'
import { Shortcuts, ShortcutsButton } from './shortcuts.tsx'

const perPage = 30

const scripts = ['library.js', 'block-frame.js', 'library-updates.js', 'mentions.js'] as const

/** Loaded when a block is edited beside the list. */
const formScripts = [
  ...(['purify.js', 'squire.js', 'pasted-content.js'] as const),
  ...(['editor-toolbar.js', 'editor-markdown.js', 'image-field.js', 'editor.js'] as const),
  'editor-image.js' as const,
]

/** The rows of a list; an address that is longer is not read by every proxy. */
const Seen = v.pipe(v.array(SeenVersion), v.minLength(1), v.maxLength(100))

async function show(context: MemberRequest): Promise<Response> {
  const { ctx, t } = context
  const filter = parseLibraryFilter(context.url)
  const page = {
    page: 1,
    perPage,
    isCounted: false,
    ...(filter.after && { afterId: filter.after }),
  }
  const [blocks, counts, settings] = await Promise.all([
    listBlocks(ctx, { filter: toBlockFilter(filter, context.member.id), page }),
    countTabs(context),
    getPersonalSettings(accountContext(context)),
  ])
  const canEdit = can(context.member.role, 'editor')
  return await layout(
    context,
    {
      title: t('common.library'),
      section: 'library',
      scripts: canEdit ? [...scripts, 'page-form.js', 'edit-in-preview.js'] : scripts,
      laterScripts: canEdit ? formScripts : [],
      isCompressed: true,
    },
    <>
      <PageHeader title={t('common.library')}>
        <ShortcutsButton t={t} />
        {canEdit ? (
          <a class="button primary" href="/library/new">
            <Icon name="plus" />
            {t('library.new_block')}
          </a>
        ) : null}
      </PageHeader>
      <UndoNotice context={context} />
      <ReviewNotice context={context} back={libraryPath(filter, { after: filter.after })} />
      <div class="library-bar">
        <Tabs t={t} filter={filter} counts={counts} />
        <div class="row filter-row">
          <Filters context={context} filter={filter} canEdit={canEdit} />
          <SavedFilters context={context} filter={filter} />
        </div>
      </div>
      <button type="button" id="new-blocks" class="small new-blocks" hidden></button>
      <IconSymbols names={rowIcons} />
      <div class="library">
        <section id="blocks" data-waits aria-label={t('library.blocks')}>
          <ReviewList
            context={context}
            filter={filter}
            blocks={blocks.items}
            isFirst={!filter.after}
          />
          <ListLinks
            t={t}
            filter={filter}
            lastId={blocks.hasMore ? blocks.items.at(-1)?.id : undefined}
            canEdit={canEdit}
          />
        </section>
        <PreviewPanel t={t} />
      </div>
      <Shortcuts t={t} canEdit={canEdit} isOn={settings.keyboard_shortcuts} />
    </>,
  )
}

/** The links to newer and older blocks than those of a page. */
function ListLinks({
  t,
  filter,
  lastId,
  canEdit,
}: {
  t: Translate
  filter: LibraryFilter
  /** The last block of the page; undefined when there are no older ones. */
  lastId: string | undefined
  canEdit: boolean
}) {
  return (
    <p class="row">
      {filter.after ? <a href={attribute(libraryPath(filter))}>{t('library.newest')}</a> : null}
      {canEdit ? <a href="/library/declined">{t('library.recently_declined')}</a> : null}
      {lastId ? (
        <a
          class="button"
          id="older-blocks"
          href={attribute(libraryPath(filter, { after: lastId }))}
        >
          {t('common.older')}
        </a>
      ) : null}
    </p>
  )
}

/** The panel in which a script shows the block that is selected. */
const PreviewPanel = ({ t }: { t: Translate }) => (
  <aside
    id="preview-panel"
    data-waits
    class="preview-panel"
    aria-label={t('library.preview_of_the_block')}
    hidden
  >
    <button
      type="button"
      id="close-preview"
      class="ghost icon-button"
      aria-label={t('common.close')}
    >
      <Icon name="close" />
    </button>
    <div id="preview-content" />
  </aside>
)

/** The blocks that are newer than the first one of a page, as rows for its list. */
async function showNewer(context: MemberRequest): Promise<Response> {
  const { t } = context
  const { after = '', ...filter } = parseLibraryFilter(context.url)
  const found = await listBlocks(context.ctx, {
    filter: {
      ...toBlockFilter({ ...filter, after: undefined }, context.member.id),
      fromId: after || null,
    },
    page: { page: 1, perPage, isCounted: false },
  })
  const blocks = found.items.filter(({ id }) => id !== after)
  const counts = await countTabs(context)
  return await fragment(
    <>
      <Tabs t={t} filter={{ ...filter, after: undefined }} counts={counts} />
      <ul>{(await blockRows(context, blocks)) as 'safe'}</ul>
    </>,
  )
}

/** The blocks of a list that were changed or deleted since it was loaded, as rows for it. */
async function showChanged(context: MemberRequest): Promise<Response> {
  const { ctx, t, url } = context
  const seen = v.safeParse(Seen, url.searchParams.getAll('seen'))
  if (!seen.success) throw notFound('This page')
  const [{ changed, deleted }, counts] = await Promise.all([
    findChangedBlocks(ctx, seen.output),
    countTabs(context),
  ])
  const declined = deleted.length > 0 ? await listDeclined(ctx) : []
  const isDeclined = (id: string) => declined.some((block) => block.id === id)
  return await fragment(
    <>
      <Tabs t={t} filter={parseLibraryFilter(url)} counts={counts} />
      <ul>
        {(await blockRows(context, changed, { isChanged: true })) as 'safe'}
        {deleted.map((id) => (
          <li class="block-row" data-id={id}>
            <span class="block-row-title muted">
              {isDeclined(id) ? t('library.was_declined') : t('library.was_deleted')}
            </span>
          </li>
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
    .get('/library/changed', showChanged, { role: 'viewer' })
