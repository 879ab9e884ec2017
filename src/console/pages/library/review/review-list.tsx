import type { ContentBlock } from '../../../../contract/blocks/content-block.ts'
import { attribute } from '../../../attribute.ts'
import { Form } from '../../../components/form/form.tsx'
import type { MemberRequest } from '../../../http/context.ts'
import type { Translate } from '../../../locales/index.ts'
import { can } from '../../../roles.ts'
import { blockRows } from '../edit/in-place.tsx'
import { type LibraryFilter, libraryPath, showsWholeTab } from '../filters/filter.ts'

interface ReviewListProps {
  context: MemberRequest
  filter: LibraryFilter
  blocks: readonly ContentBlock[]
  isFirst: boolean
}

/** The blocks of a page, with actions for the selected ones. */
export async function ReviewList({ context, filter, blocks, isFirst }: ReviewListProps) {
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
      {(await blockRows(context, blocks)) as 'safe'}
    </ul>
  )
  return (
    <>
      {blocks.length === 0 ? <EmptyState t={t} filter={filter} canEdit={canEdit} /> : null}
      <div id="bulk-result" />
      {canEdit ? (
        <Form context={context} action="/library/bulk" class="bulk">
          <input type="hidden" name="back" value={attribute(back)} />
          <BulkActions t={t} isEmpty={blocks.length === 0} />
          {list}
        </Form>
      ) : (
        list
      )}
    </>
  )
}

function BulkActions({ t, isEmpty }: { t: Translate; isEmpty: boolean }) {
  return (
    <p class={isEmpty ? 'visually-hidden' : 'row bulk-actions'}>
      <span class="check" data-requires-script>
        <input type="checkbox" id="select-all" />
        <label for="select-all">{t('library.select_all')}</label>
      </span>
      <span id="selected-count" class="muted" />
      <button type="button" id="select-older" class="ghost small" hidden>
        {t('library.select_older')}
      </button>
      <span class="row bulk-buttons">
        <button
          type="submit"
          class="small"
          name="to"
          value="ready"
          aria-label={t('library.approve_selected')}
        >
          {t('common.approve')}
        </button>
        <button type="submit" class="small" name="to" value="draft">
          {t('library.back_to_draft')}
        </button>
        <button
          type="submit"
          class="small"
          name="to"
          value="decline"
          aria-label={t('library.decline_selected')}
        >
          {t('common.decline')}
        </button>
      </span>
    </p>
  )
}

interface EmptyStateProps {
  t: Translate
  filter: LibraryFilter
  canEdit: boolean
}

function EmptyState({ t, filter, canEdit }: EmptyStateProps) {
  if (!showsWholeTab(filter)) {
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
