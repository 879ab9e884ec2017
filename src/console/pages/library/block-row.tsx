import type { ContentBlock } from '../../../contract/content-block.ts'
import { croppedAddress } from '../../../features/images/index.ts'
import { attribute } from '../../attribute.ts'
import { blockTypeLabels, originLabel, StatusBadge } from '../../components/block.tsx'
import { DateTime } from '../../components/date-time.tsx'
import { BlockLogo } from '../../components/provider-logo.tsx'
import { uploadedPath } from '../../components/uploaded-image.ts'
import type { MemberRequest } from '../../http/context.ts'
import type { Translate } from '../../messages/index.ts'

interface BlockRowProps {
  context: MemberRequest
  block: ContentBlock
  canEdit: boolean
  /** The status was changed just now and can be changed back. */
  isReviewed?: boolean
}

/** A block in the list with its actions. */
export function BlockRow({ context, block, canEdit, isReviewed = false }: BlockRowProps) {
  const { t } = context
  const { id, title, status, block_type, created_at } = block
  return (
    <li class="block-row" data-id={id}>
      {canEdit ? (
        <input
          type="checkbox"
          name="ids[]"
          value={id}
          aria-label={t('library.select', { title: attribute(title) })}
          id={`select-${id}`}
        />
      ) : null}
      <BlockLogo logos={context.deps.logos} block={block} />
      <div class="block-row-text">
        <a href={`/library/${id}`} class="block-row-title" safe>
          {title}
        </a>
        <p class="block-row-details muted">
          {status === 'draft' && !isReviewed ? null : <StatusBadge t={t} status={status} />}
          <span class="block-row-type">{t(blockTypeLabels[block_type])}</span>
          <span class="block-row-origin" safe>
            {originLabel(t, context.deps, block)}
          </span>
          <DateTime reader={context.reader} at={new Date(created_at)} dateOnly />
        </p>
      </div>
      <BlockThumbnail context={context} block={block} />
      {canEdit ? <BlockRowActions t={t} block={block} isReviewed={isReviewed} /> : null}
    </li>
  )
}

/** The uploaded image of a block; images of other websites are not loaded in a list. */
function BlockThumbnail({ context, block }: Pick<BlockRowProps, 'context' | 'block'>) {
  const path = uploadedPath(context.deps, block.image_url)
  if (path === null) return ''
  const focus = { x: block.image_focal_x, y: block.image_focal_y }
  const src = attribute(croppedAddress(path, 'square', focus))
  return <img class="block-row-image" src={src} alt="" width="32" height="32" loading="lazy" />
}

function BlockRowActions({
  t,
  block,
  isReviewed,
}: {
  t: Translate
  block: ContentBlock
  isReviewed: boolean
}) {
  const { id, title, status } = block
  return (
    <div class="block-row-actions">
      {isReviewed ? (
        <button
          type="submit"
          class="small"
          formaction={`/library/${id}/status`}
          name="to"
          value={status === 'ready' ? 'draft' : 'ready'}
          aria-label={t('library.undo', { title: attribute(title) })}
        >
          {t('common.undo')}
        </button>
      ) : null}
      {status === 'draft' && !isReviewed ? (
        <button
          type="submit"
          class="small"
          formaction={`/library/${id}/status`}
          name="to"
          value="ready"
          aria-label={t('library.approve', { title: attribute(title) })}
          data-approve
        >
          {t('common.approve')}
        </button>
      ) : null}
      <a
        class="button small ghost edit-link"
        href={`/library/${id}/edit`}
        aria-label={t('library.edit', { title: attribute(title) })}
        data-edit
      >
        {t('common.edit')}
      </a>
    </div>
  )
}
