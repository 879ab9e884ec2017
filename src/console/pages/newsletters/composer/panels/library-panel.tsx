import type { ContentBlock } from '../../../../../contract/blocks/content-block.ts'
import type { Newsletter } from '../../../../../contract/newsletters/newsletter.ts'
import { blockTypes } from '../../../../../contract/vocabulary.ts'
import { listBlocks } from '../../../../../features/content-blocks/index.ts'
import { htmlToText } from '../../../../../lib/html/sanitize-html.ts'
import type { Page } from '../../../../../lib/lists/pagination.ts'
import { attribute } from '../../../../attribute.ts'
import { blockStatusBadges, blockTypeLabels } from '../../../../components/block.tsx'
import { formatDate } from '../../../../components/dates/date-time.tsx'
import { Form } from '../../../../components/form/form.tsx'
import { Icon, SharedIcon } from '../../../../components/icon.tsx'
import type { MemberRequest } from '../../../../http/context.ts'
import type { UserLocale } from '../../../../http/user-locale.ts'
import type { Translate } from '../../../../locales/index.ts'
import { type ComposerView, queryOf } from '../view.ts'

const perPage = 12

/** The blocks of the library for a view, newest first. */
export async function loadLibraryPanel(
  context: MemberRequest,
  view: ComposerView,
): Promise<Page<ContentBlock>> {
  const filter = {
    status: view.status === 'all' ? [] : [view.status],
    blockType: view.type ? [view.type] : [],
    source: [],
    eventSlug: [],
    fromId: null,
    beforeId: null,
    words: view.q.trim() || null,
    isTyped: true,
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
      {items.length === 0 ? <EmptyState t={t} view={view} /> : null}
      <Form context={context} action={`${path}/blocks`}>
        <input type="hidden" name="view" value={attribute(queryOf(view))} />
        <ul class="library-blocks" data-sortable="library">
          {items.map((block) => (
            <LibraryBlock
              t={t}
              userLocale={context.userLocale}
              block={block}
              isAdded={added.has(block.id)}
              now={context.deps.now()}
            />
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
      <button type="submit" id="block-search-submit" class="small">
        {t('common.search')}
      </button>
    </form>
  )
}

function EmptyState({ t, view }: { t: Translate; view: ComposerView }) {
  const isFiltered = view.q !== '' || view.type !== '' || view.status !== 'ready'
  return (
    <div class="empty empty-small">
      {isFiltered ? (
        <p>{t('newsletters.no_matching_blocks_change')}</p>
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

function LibraryBlock({
  t,
  userLocale,
  block,
  isAdded,
  now,
}: {
  t: Translate
  userLocale: UserLocale
  block: ContentBlock
  isAdded: boolean
  now: Date
}) {
  const { id, title, block_type, status, publish_after } = block
  const isEmbargoed = publish_after !== null && new Date(publish_after) > now
  return (
    <li class="library-block" data-block={isAdded ? undefined : id}>
      <div class="block-text">
        <a href={`/library/${id}`} safe>
          {title}
        </a>
        <p class="excerpt" safe>
          {excerptOf(block)}
        </p>
        <div class="badges">
          <span class="badge">{t(blockTypeLabels[block_type])}</span>
          {status === 'ready' ? null : (
            <span class={`badge ${blockStatusBadges[status].tone}`}>
              {t(blockStatusBadges[status].title)}
            </span>
          )}
          {isEmbargoed ? (
            <span class="badge warning" safe>
              {t('newsletters.not_before', {
                value: formatDate(userLocale, publish_after.slice(0, 10)),
              })}
            </span>
          ) : null}
        </div>
      </div>
      {isAdded ? (
        <span class="added">
          <Icon name="check" />
          <span class="visually-hidden">{t('newsletters.added')}</span>
        </span>
      ) : (
        <button
          type="submit"
          class="icon-button"
          id={`add-${id}`}
          name="add"
          value={id}
          aria-label={t('newsletters.add', { value: attribute(`“${title}”`) })}
        >
          <SharedIcon name="plus" />
        </button>
      )}
    </li>
  )
}

const excerptCharacters = 110

/** The first words of a block as plain text. */
function excerptOf({ body, body_format }: ContentBlock): string {
  const start = body.slice(0, 4000)
  const text = body_format === 'html' ? htmlToText(start) : start
  const words = [...text.replaceAll(/\s+/g, ' ').trim()]
  return words.length > excerptCharacters
    ? `${words.slice(0, excerptCharacters).join('')}…`
    : words.join('')
}
