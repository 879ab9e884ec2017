import type { ContentBlock } from '../../../contract/blocks/content-block.ts'
import type { DiscussionSummary } from '../../../features/block-comments/index.ts'
import { croppedAddress } from '../../../features/images/index.ts'
import { attribute } from '../../attribute.ts'
import { blockTypeLabels, originLabel, StatusBadge } from '../../components/block.tsx'
import { RelativeTime } from '../../components/dates/relative-time.tsx'
import { Icon, type IconName, SharedIcon } from '../../components/icon.tsx'
import { BlockLogo } from '../../components/provider-logo.tsx'
import { uploadedPath } from '../../components/uploaded-image.ts'
import type { MemberRequest } from '../../http/context.ts'
import type { Translate } from '../../locales/index.ts'
import { seenVersion } from './review/seen-version.ts'

/** The icons of the rows, which their page defines once. */
export const rowIcons: readonly IconName[] = ['check', 'edit', 'close']

interface LibraryRowProps {
  context: MemberRequest
  block: ContentBlock
  /** The assignee and the number of comments, for editors. */
  discussion?: DiscussionSummary | undefined
  /** The block is part of the sample newsletter. */
  isSample: boolean
  canEdit: boolean
  /** The status was changed just now and can be changed back. */
  isReviewed: boolean
  /** A draft shows its status, too, because the row shows a change. */
  showsStatus: boolean
}

/** A block as one line of the list, with its actions. */
export function LibraryRow(props: LibraryRowProps) {
  const { context, block, discussion, isSample, canEdit, isReviewed, showsStatus } = props
  const { t, deps, userLocale } = context
  const { id, title, status, block_type, created_at, origin } = block
  return (
    <li class="block-row" data-id={id} data-seen={seenVersion(block)}>
      {canEdit ? (
        <input
          class="block-row-check"
          type="checkbox"
          name="selected[]"
          value={seenVersion(block)}
          aria-label={t('library.select', { title: attribute(title) })}
          id={`select-${id}`}
        />
      ) : null}
      <BlockLogo logos={deps.logos} block={block} />
      <a href={`/library/${id}`} class="block-row-title" safe>
        {title}
      </a>
      <BlockThumbnail context={context} block={block} />
      {status === 'draft' && !showsStatus ? null : (
        <span class="block-row-status">
          <StatusBadge t={t} status={status} />
        </span>
      )}
      <span class="block-row-type muted">{t(blockTypeLabels[block_type])}</span>
      <span class="block-row-origin muted" title={attribute(originLabel(t, deps, block))} safe>
        {isSample ? t('library.sample') : (origin?.author ?? originLabel(t, deps, block))}
      </span>
      {discussion ? <Discussion t={t} discussion={discussion} /> : null}
      <span class="block-row-date muted">
        <RelativeTime userLocale={userLocale} at={new Date(created_at)} now={deps.now()} />
      </span>
      {canEdit ? <BlockRowActions t={t} block={block} isReviewed={isReviewed} /> : null}
    </li>
  )
}

function Discussion({
  t,
  discussion: { comments, assignee },
}: {
  t: Translate
  discussion: DiscussionSummary
}) {
  return (
    <span class="block-row-notes muted">
      {comments > 0 ? (
        <span title={attribute(t('comments.count', { count: comments }))}>
          <Icon name="comment" />
          <span aria-hidden="true">{comments}</span>
          <span class="visually-hidden" safe>
            {t('comments.count', { count: comments })}
          </span>
        </span>
      ) : null}
      {assignee === null ? null : (
        <span
          class="initials"
          title={attribute(t('comments.assigned_to_name', { name: assignee }))}
        >
          <span aria-hidden="true" safe>
            {initialsOf(assignee)}
          </span>
          <span class="visually-hidden" safe>
            {t('comments.assigned_to_name', { name: assignee })}
          </span>
        </span>
      )}
    </span>
  )
}

/** The first letters of the first and the last word of a name. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map(
    (word) => [...(word ?? '')][0],
  )
  return letters.join('').toUpperCase()
}

/** The uploaded image of a block; images of other websites are not loaded in a list. */
function BlockThumbnail({ context, block }: Pick<LibraryRowProps, 'context' | 'block'>) {
  const path = uploadedPath(context.deps, block.image_url)
  if (path === null) return ''
  const focus = { x: block.image_focal_x, y: block.image_focal_y }
  const src = attribute(croppedAddress(path, 'square', focus))
  return <img class="block-row-image" src={src} alt="" width="28" height="28" loading="lazy" />
}

function BlockRowActions({
  t,
  block: { id, title, status, version },
  isReviewed,
}: {
  t: Translate
  block: ContentBlock
  isReviewed: boolean
}) {
  const reviewPath = `/library/${id}/status?version=${version}`
  const name = { title: attribute(title) }
  return (
    <div class="block-row-actions">
      {isReviewed ? (
        <button
          type="submit"
          class="small"
          formaction={`${reviewPath}&undo=1`}
          name="to"
          value={status === 'ready' ? 'draft' : 'ready'}
          aria-label={t('library.undo', name)}
          data-undo
          data-approve={status === 'draft'}
        >
          {t('common.undo')}
        </button>
      ) : null}
      {status === 'draft' && !isReviewed ? (
        <button
          type="submit"
          class="ghost icon-button"
          formaction={reviewPath}
          name="to"
          value="ready"
          aria-label={t('library.approve', name)}
          title={t('common.approve')}
          data-approve
        >
          <SharedIcon name="check" />
        </button>
      ) : null}
      <a
        class="button ghost icon-button on-hover"
        href={`/library/${id}/edit`}
        aria-label={t('library.edit_block', name)}
        title={t('common.edit')}
        data-edit
      >
        <SharedIcon name="edit" />
      </a>
      {status === 'draft' ? (
        <button
          type="submit"
          class="ghost icon-button on-hover"
          formaction={`/library/${id}/delete`}
          aria-label={t('library.decline', name)}
          title={t('common.decline')}
          data-decline
        >
          <SharedIcon name="close" />
        </button>
      ) : null}
    </div>
  )
}

interface DeletedRowProps {
  t: Translate
  block: { id: string; title: string }
  /** It was a draft, so it was declined. */
  isDraft: boolean
}

/** What is in place of a block that was deleted just now, with an undo button. */
export function DeletedRow({ t, block: { id, title }, isDraft }: DeletedRowProps) {
  return (
    <li class="block-row" data-id={id}>
      <span class="block-row-title muted" safe>
        {t(isDraft ? 'library.declined_title' : 'library.deleted_title', { title })}
      </span>
      <div class="block-row-actions">
        <button
          type="submit"
          class="small"
          formaction={`/library/${id}/restore`}
          aria-label={t('library.undo', { title: attribute(title) })}
          data-undo
        >
          {t('common.undo')}
        </button>
      </div>
    </li>
  )
}
