import type { ContentBlock } from '../../../contract/content-block.ts'
import { attribute } from '../../attribute.ts'
import { BlockBody, originName, StatusBadge, typeTitles } from '../../components/block.tsx'
import { Time } from '../../components/time.tsx'
import type { ConsoleDeps } from '../../http/context.ts'

interface ItemProps {
  deps: ConsoleDeps
  block: ContentBlock
  mayEdit: boolean
  /** The status was changed a moment ago, and can be changed back. */
  isReviewed?: boolean
}

/** A block in the list, with its actions. */
export function Item({ deps, block, mayEdit, isReviewed = false }: ItemProps) {
  const { id, title, status, block_type, created_at } = block
  return (
    <li class="item" data-id={id}>
      {mayEdit ? (
        <input
          type="checkbox"
          name="ids[]"
          value={id}
          aria-label={`Select ${attribute(title)}`}
          id={`choose-${id}`}
        />
      ) : null}
      <div class="item-words">
        <a href={`/library/${id}`} class="item-link" safe>
          {title}
        </a>
        <p class="item-facts quiet">
          <StatusBadge status={status} /> <span>{typeTitles[block_type]}</span>
          {' · '}
          <span safe>{originName(deps, block)}</span>
          {' · '}
          <Time at={new Date(created_at)} />
        </p>
        <details class="item-look">
          <summary aria-label={`Show ${attribute(title)}`}>Show</summary>
          <BlockBody body={block.body} format={block.body_format} />
        </details>
      </div>
      {mayEdit ? <ItemActions block={block} isReviewed={isReviewed} /> : null}
    </li>
  )
}

function ItemActions({ block, isReviewed }: { block: ContentBlock; isReviewed: boolean }) {
  const { id, title, status } = block
  return (
    <div class="item-actions">
      {isReviewed ? (
        <button
          type="submit"
          class="small"
          formaction={`/library/${id}/status`}
          name="to"
          value={status === 'ready' ? 'draft' : 'ready'}
          aria-label={`Undo: ${attribute(title)}`}
        >
          Undo
        </button>
      ) : null}
      {status === 'draft' && !isReviewed ? (
        <button
          type="submit"
          class="small"
          formaction={`/library/${id}/status`}
          name="to"
          value="ready"
          aria-label={`Approve ${attribute(title)}`}
          data-approve
        >
          Approve
        </button>
      ) : null}
      <a
        class="button small plain"
        href={`/library/${id}/edit`}
        aria-label={`Edit ${attribute(title)}`}
        data-edit
      >
        Edit
      </a>
    </div>
  )
}
