import type { ContentBlock } from '../../../../../contract/blocks/content-block.ts'
import type { Newsletter } from '../../../../../contract/newsletters/newsletter.ts'
import { blockTypes } from '../../../../../contract/vocabulary.ts'
import { listBlocks } from '../../../../../features/content-blocks/index.ts'
import type { Page } from '../../../../../lib/lists/pagination.ts'
import { attribute } from '../../../../attribute.ts'
import { blockTypeLabels } from '../../../../components/block.tsx'
import { Form } from '../../../../components/form/form.tsx'
import type { MemberRequest } from '../../../../http/context.ts'
import type { Translate } from '../../../../locales/index.ts'
import { type ComposerView, queryOf } from '../view.ts'
import { LibraryBlock } from './library-block.tsx'

const perPage = 12

/**
 * The blocks of the library for a view, newest first. Without a search, those that are in the newsletter already
 * are left out, so that the first ones can be added.
 */
export async function loadLibraryPanel(
  context: MemberRequest,
  newsletter: Newsletter,
  view: ComposerView,
): Promise<Page<ContentBlock>> {
  const words = view.q.trim() || null
  const filter = {
    status: view.status === 'all' ? [] : [view.status],
    blockType: view.type ? [view.type] : [],
    source: [],
    eventSlug: [],
    fromId: null,
    beforeId: null,
    words,
    isTyped: true,
    excludedIds: words ? [] : newsletter.blocks.map(({ content_block: { id } }) => id),
  }
  const page = { page: 1, perPage, isCounted: false, ...(view.after && { afterId: view.after }) }
  return await listBlocks(context.ctx, { filter, page })
}

interface LibraryPanelProps {
  context: MemberRequest
  newsletter: Newsletter
  blocks: Page<ContentBlock>
  view: ComposerView
}

/** The library beside the newsletter, to find and add blocks. */
export function LibraryPanel({
  context,
  newsletter,
  blocks: { items, hasMore },
  view,
}: LibraryPanelProps) {
  const { t } = context
  const path = `/newsletters/${newsletter.id}`
  const added = new Set(newsletter.blocks.map(({ content_block }) => content_block.id))
  const last = items.at(-1)
  return (
    <section id="library" data-part aria-labelledby="library-title">
      <h2 id="library-title" class="panel-title">
        {t('common.library')}
      </h2>
      <BlockSearch t={t} path={path} view={view} />
      {items.length === 0 ? <EmptyState t={t} view={view} areAllAdded={added.size > 0} /> : null}
      <Form context={context} action={`${path}/blocks`}>
        <input type="hidden" name="view" value={attribute(queryOf(view))} />
        <ul class="library-blocks" data-sortable="library">
          {items.map((block) => (
            <LibraryBlock context={context} block={block} isAdded={added.has(block.id)} />
          ))}
        </ul>
      </Form>
      <p class="row">
        {view.after ? (
          <a data-swap href={attribute(path + queryOf({ ...view, after: '' }))}>
            {t('newsletters.newest')}
          </a>
        ) : null}
        {hasMore && last ? (
          <a
            class="button small"
            data-swap
            href={attribute(path + queryOf({ ...view, after: last.id }))}
          >
            {t('common.older')}
          </a>
        ) : null}
      </p>
    </section>
  )
}

const statusOptions = [
  { value: 'ready', title: 'common.ready' },
  { value: 'draft', title: 'newsletters.drafts' },
  { value: 'used', title: 'common.used' },
  { value: 'all', title: 'newsletters.all' },
] as const

function BlockSearch({ t, path, view }: { t: Translate; path: string; view: ComposerView }) {
  return (
    <form
      id="block-search"
      class="block-search"
      action={path}
      method="get"
      aria-label={t('newsletters.find_blocks')}
      data-swap
    >
      {(['panel', 'width', 'scheme', 'images'] as const).map((name) => (
        <input type="hidden" name={name} value={view[name]} />
      ))}
      <input
        id="block-search-query"
        type="search"
        name="q"
        value={attribute(view.q)}
        placeholder={t('common.search')}
        aria-label={t('newsletters.search_the_library')}
        maxlength={200}
      />
      <select id="block-search-status" name="status" aria-label={t('common.status')}>
        {statusOptions.map(({ value, title }) => (
          <option value={value} selected={value === view.status}>
            {t(title)}
          </option>
        ))}
      </select>
      <select id="block-search-type" name="type" aria-label={t('common.type')}>
        <option value="">{t('newsletters.any_type')}</option>
        {blockTypes.map((type) => (
          <option value={type} selected={type === view.type}>
            {t(blockTypeLabels[type])}
          </option>
        ))}
      </select>
      <button type="submit" class="small" data-without-script>
        {t('common.search')}
      </button>
    </form>
  )
}

function EmptyState({
  t,
  view,
  areAllAdded,
}: {
  t: Translate
  view: ComposerView
  areAllAdded: boolean
}) {
  const isFiltered = view.q !== '' || view.type !== '' || view.status !== 'ready'
  return (
    <div class="empty empty-small">
      {isFiltered ? (
        <p>{t('newsletters.no_matching_blocks_change')}</p>
      ) : areAllAdded ? (
        <p>{t('newsletters.all_ready_blocks_are_added')}</p>
      ) : (
        <p>
          {t.html('newsletters.no_block_is_ready_approve', {
            link: (text) => <a href="/library">{text}</a>,
          })}
        </p>
      )}
    </div>
  )
}
