import type { Notice } from '../../../../features/newsletters/index.ts'
import { attribute } from '../../../attribute.ts'
import { blockStatusBadges } from '../../../components/block.tsx'
import { SharedIcon } from '../../../components/icon.tsx'
import type { MemberRequest } from '../../../http/context.ts'
import type { Translate } from '../../../locales/index.ts'
import type { ArrangedBlock } from './arranged-blocks.ts'
import { TargetWarnings } from './warnings.tsx'

/** A block or an element in the outline, with the buttons that move and remove it. */
export function OutlineRow({
  context,
  notices,
  block,
  isFirst,
  isLast,
  canEdit,
  href,
}: {
  context: MemberRequest
  notices: readonly Notice[]
  block: ArrangedBlock
  isFirst: boolean
  isLast: boolean
  canEdit: boolean
  /** Null for a sent newsletter, because its blocks can be changed or deleted in the library. */
  href: string | null
}) {
  const { t } = context
  const { id, title, status } = block
  return (
    <li
      id={id}
      class={block.sectionTitle !== null ? 'newsletter-block is-section' : 'newsletter-block'}
    >
      <div class="block-text">
        {href ? (
          <a
            href={href}
            class={block.blockId === null ? 'element-link' : undefined}
            data-edit={canEdit ? '' : undefined}
            safe
          >
            {title}
          </a>
        ) : (
          <span safe>{title}</span>
        )}
        {status === 'draft' ? ' ' : null}
        {status === 'draft' ? (
          <span class={`badge ${blockStatusBadges.draft.tone}`}>{t('common.draft')}</span>
        ) : null}
        {(<TargetWarnings context={context} notices={notices} target={id} />) as 'safe'}
      </div>
      {canEdit ? <RowActions t={t} block={block} isFirst={isFirst} isLast={isLast} /> : null}
    </li>
  )
}

interface RowActionsProps {
  t: Translate
  block: ArrangedBlock
  isFirst: boolean
  isLast: boolean
}

function RowActions({ t, block: { id, title }, isFirst, isLast }: RowActionsProps) {
  const name = attribute(t('newsletters.text', { title }))
  return (
    <div class="newsletter-block-actions">
      <button
        type="submit"
        id={`up-${id}`}
        name="up"
        value={id}
        disabled={isFirst}
        aria-label={t('newsletters.move_up', { name })}
      >
        <SharedIcon name="up" />
      </button>
      <button
        type="submit"
        id={`down-${id}`}
        name="down"
        value={id}
        disabled={isLast}
        aria-label={t('newsletters.move_down', { name })}
      >
        <SharedIcon name="chevron" />
      </button>
      <button
        type="submit"
        id={`remove-${id}`}
        name="remove"
        value={id}
        aria-label={t('newsletters.remove', { name })}
      >
        <SharedIcon name="close" />
      </button>
    </div>
  )
}
