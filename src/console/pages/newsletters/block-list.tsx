import type { Newsletter } from '../../../contract/newsletter.ts'
import { attribute } from '../../attribute.ts'
import { statusLooks } from '../../components/block.tsx'
import { Form } from '../../components/form.tsx'
import { Icon } from '../../components/icon.tsx'
import type { MemberRequest } from '../../http/context.ts'
import type { PlacedBlock } from './placed-blocks.ts'

interface PlacesProps {
  context: MemberRequest
  newsletter: Newsletter
  sections: readonly { title: string; blocks: readonly PlacedBlock[] }[]
  mayChange: boolean
  view: string
}

/** The issue: its blocks under the headings where readers find them. */
export function BlockList({ context, newsletter, sections, mayChange, view }: PlacesProps) {
  const list = (
    <>
      {sections.map(({ title, blocks }, at) => (
        <>
          <h3 safe>{title}</h3>
          <ol class="places" id={`section-${at}`} data-sort={mayChange ? 'issue' : undefined}>
            {blocks.map((block, n) => (
              <Place
                block={block}
                first={n === 0}
                last={n === blocks.length - 1}
                mayChange={mayChange}
                lives={newsletter.status !== 'sent'}
              />
            ))}
          </ol>
        </>
      ))}
    </>
  )
  return (
    <section id="issue" data-part aria-labelledby="issue-title">
      <h2 id="issue-title">Blocks</h2>
      {sections.length === 0 ? (
        <p class="quiet">No blocks yet. Add blocks from the library.</p>
      ) : null}
      {mayChange ? (
        <Form context={context} action={`/newsletters/${newsletter.id}/order`}>
          <input type="hidden" name="view" value={attribute(view)} />
          {list as 'safe'}
          <ol class="places drop" id="section-end" data-sort="issue" data-script hidden></ol>
        </Form>
      ) : (
        (list as 'safe')
      )}
      {mayChange ? <Fill context={context} id={newsletter.id} view={view} /> : null}
    </section>
  )
}

function Place({
  block,
  first,
  last,
  mayChange,
  lives,
}: {
  block: PlacedBlock
  first: boolean
  last: boolean
  mayChange: boolean
  /** False once it was sent: the block in the library may have become another, or gone. */
  lives: boolean
}) {
  const { id, blockId, title, status } = block
  const name = attribute(`“${title}”`)
  return (
    <li id={id} class="place">
      {mayChange ? <DragHandle /> : null}
      <div class="place-words">
        {lives ? (
          <a href={`/library/${blockId}`} safe>
            {title}
          </a>
        ) : (
          <span safe>{title}</span>
        )}
        {status === 'draft' ? ' ' : null}
        {status === 'draft' ? <span class={`badge ${statusLooks.draft.tone}`}>Draft</span> : null}
      </div>
      {mayChange ? (
        <div class="place-moves">
          <button
            type="submit"
            class="plain icon-button"
            id={`up-${id}`}
            name="up"
            value={id}
            disabled={first}
            aria-label={`Move ${name} up`}
          >
            <Icon name="up" />
          </button>
          <button
            type="submit"
            class="plain icon-button"
            id={`down-${id}`}
            name="down"
            value={id}
            disabled={last}
            aria-label={`Move ${name} down`}
          >
            <Icon name="chevron" />
          </button>
          <button
            type="submit"
            class="plain icon-button"
            id={`remove-${id}`}
            name="remove"
            value={id}
            aria-label={`Remove ${name}`}
          >
            <Icon name="close" />
          </button>
        </div>
      ) : null}
    </li>
  )
}

/** Where a pointer takes hold; the buttons do the same for everybody else. */
export function DragHandle() {
  return (
    <span class="grip" data-script hidden aria-hidden="true">
      <Icon name="grip" />
    </span>
  )
}

function Fill({ context, id, view }: { context: MemberRequest; id: string; view: string }) {
  return (
    <Form context={context} action={`/newsletters/${id}/compose`}>
      <input type="hidden" name="view" value={attribute(view)} />
      <button type="submit" id="fill" class="small">
        Add all ready blocks
      </button>
    </Form>
  )
}
