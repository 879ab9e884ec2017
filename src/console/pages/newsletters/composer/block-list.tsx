import type { Newsletter } from '../../../../contract/newsletter.ts'
import { attribute } from '../../../attribute.ts'
import { blockStatusBadges } from '../../../components/block.tsx'
import { Form } from '../../../components/form/form.tsx'
import { Icon } from '../../../components/icon.tsx'
import type { MemberRequest } from '../../../http/context.ts'
import type { Translate } from '../../../locales/index.ts'
import { type ArrangedBlock, elementLabels } from './arranged-blocks.ts'

interface BlockListProps {
  context: MemberRequest
  newsletter: Newsletter
  sections: readonly { title: string; blocks: readonly ArrangedBlock[] }[]
  canEdit: boolean
  view: string
}

/** The blocks of the newsletter by section. */
export function BlockList({ context, newsletter, sections, canEdit, view }: BlockListProps) {
  const { t } = context
  const list = (
    <>
      {sections.map(({ title, blocks }, index) => (
        <>
          <h3 safe>{title}</h3>
          <ol
            class="newsletter-blocks"
            id={`section-${index}`}
            data-sortable={canEdit ? 'newsletter' : undefined}
          >
            {blocks.map((block, blockIndex) => (
              <NewsletterBlockRow
                t={t}
                block={block}
                isFirst={blockIndex === 0}
                isLast={blockIndex === blocks.length - 1}
                canEdit={canEdit}
                href={linkOf(newsletter, block)}
              />
            ))}
          </ol>
        </>
      ))}
    </>
  )
  return (
    <section id="blocks" data-part aria-labelledby="blocks-title">
      <h2 id="blocks-title">{t('newsletters.blocks')}</h2>
      {sections.length === 0 ? (
        <p class="muted">{t('newsletters.no_blocks_yet_add_blocks')}</p>
      ) : null}
      {canEdit ? (
        <Form context={context} action={`/newsletters/${newsletter.id}/order`}>
          <input type="hidden" name="view" value={attribute(view)} />
          {list as 'safe'}
          <ol
            class="newsletter-blocks drop-zone"
            id="section-end"
            data-sortable="newsletter"
            data-requires-script
            hidden
          ></ol>
        </Form>
      ) : (
        (list as 'safe')
      )}
      {canEdit ? <AddReadyBlocks context={context} id={newsletter.id} view={view} /> : null}
      {canEdit ? <AddElement t={t} id={newsletter.id} /> : null}
    </section>
  )
}

/** The page on which a block or an element is changed; null when the newsletter is sent. */
function linkOf({ id, status }: Newsletter, block: ArrangedBlock): string | null {
  if (status === 'sent') return null
  return block.blockId === null
    ? `/newsletters/${id}/elements/${block.id}`
    : `/library/${block.blockId}`
}

function NewsletterBlockRow({
  t,
  block,
  isFirst,
  isLast,
  canEdit,
  href,
}: {
  t: Translate
  block: ArrangedBlock
  isFirst: boolean
  isLast: boolean
  canEdit: boolean
  /** Null for a sent newsletter, because its blocks can be changed or deleted in the library. */
  href: string | null
}) {
  const { id, title, status } = block
  const name = attribute(t('newsletters.text', { title }))
  return (
    <li id={id} class="newsletter-block">
      {canEdit ? <DragHandle /> : null}
      <div class="block-text">
        {href ? (
          <a href={href} class={block.blockId === null ? 'element-link' : undefined} safe>
            {title}
          </a>
        ) : (
          <span safe>{title}</span>
        )}
        {status === 'draft' ? ' ' : null}
        {status === 'draft' ? (
          <span class={`badge ${blockStatusBadges.draft.tone}`}>{t('common.draft')}</span>
        ) : null}
      </div>
      {canEdit ? (
        <div class="newsletter-block-actions">
          <button
            type="submit"
            class="ghost icon-button"
            id={`up-${id}`}
            name="up"
            value={id}
            disabled={isFirst}
            aria-label={t('newsletters.move_up', { name })}
          >
            <Icon name="up" />
          </button>
          <button
            type="submit"
            class="ghost icon-button"
            id={`down-${id}`}
            name="down"
            value={id}
            disabled={isLast}
            aria-label={t('newsletters.move_down', { name })}
          >
            <Icon name="chevron" />
          </button>
          <button
            type="submit"
            class="ghost icon-button"
            id={`remove-${id}`}
            name="remove"
            value={id}
            aria-label={t('newsletters.remove', { name })}
          >
            <Icon name="close" />
          </button>
        </div>
      ) : null}
    </li>
  )
}

/** A handle for dragging. The buttons beside it do the same for keyboards and screen readers. */
export function DragHandle() {
  return (
    <span class="drag-handle" data-requires-script hidden aria-hidden="true">
      <Icon name="drag" />
    </span>
  )
}

function AddReadyBlocks({
  context,
  id,
  view,
}: {
  context: MemberRequest
  id: string
  view: string
}) {
  const { t } = context
  return (
    <Form context={context} action={`/newsletters/${id}/compose`}>
      <input type="hidden" name="view" value={attribute(view)} />
      <button type="submit" id="add-ready-blocks" class="small">
        {t('newsletters.add_all_ready_blocks')}
      </button>
    </Form>
  )
}

/** Links to the forms that add something between the blocks. */
function AddElement({ t, id }: { t: Translate; id: string }) {
  return (
    <p class="row">
      {(['section', 'callout', 'poll', 'divider'] as const).map((type) => (
        <a class="button ghost small" href={`/newsletters/${id}/elements/new?type=${type}`} safe>
          {t('newsletters.add_element', { element: t(elementLabels[type]) })}
        </a>
      ))}
      <a class="button ghost small" href={`/newsletters/${id}/frame`}>
        {t('newsletters.cover_and_texts')}
      </a>
    </p>
  )
}
