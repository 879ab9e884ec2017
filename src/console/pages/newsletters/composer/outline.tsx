import type { Newsletter } from '../../../../contract/newsletters/newsletter.ts'
import {
  type Notice,
  newsletterMarks,
  sectionMark,
} from '../../../../features/newsletters/index.ts'
import { attribute } from '../../../attribute.ts'
import { Form } from '../../../components/form/form.tsx'
import { Icon, IconSymbols } from '../../../components/icon.tsx'
import type { MemberRequest } from '../../../http/context.ts'
import type { Translate } from '../../../locales/index.ts'
import { type ArrangedBlock, addElementLabels, elementLabels } from './arranged-blocks.ts'
import { OutlineRow } from './outline-row.tsx'
import { TargetWarnings } from './warnings.tsx'

/** The blocks and elements between two headings. */
export interface OutlineSection {
  title: string
  blocks: readonly ArrangedBlock[]
}

interface OutlineProps {
  context: MemberRequest
  newsletter: Newsletter
  notices: readonly Notice[]
  sections: readonly OutlineSection[]
  canEdit: boolean
  view: string
}

/** What the newsletter consists of, in the order of the email. */
export function Outline({ context, newsletter, notices, sections, canEdit, view }: OutlineProps) {
  const { t } = context
  const frame = (part: 'cover' | 'intro' | 'closing') => (
    <FrameRow context={context} id={newsletter.id} part={part} notices={notices} />
  )
  const canSetTitles = canEdit && newsletter.elements.length === 0
  const list = (
    <>
      {sections.map(({ title, blocks }, index) => (
        <>
          <SectionTitle
            href={canSetTitles ? `/newsletters/${newsletter.id}/sections/${index}` : null}
            id={sectionMark(index)}
            title={title}
          />
          <ol
            class="newsletter-blocks"
            id={`section-${index}`}
            data-sortable={canEdit ? 'newsletter' : undefined}
          >
            {blocks.map((block, blockIndex) => (
              <OutlineRow
                block={block}
                isFirst={blockIndex === 0}
                isLast={blockIndex === blocks.length - 1}
                canEdit={canEdit}
                href={linkOf(newsletter, block)}
                context={context}
                notices={notices}
              />
            ))}
          </ol>
        </>
      ))}
    </>
  )
  return (
    <section id="blocks" data-part aria-labelledby="blocks-title">
      <h2 id="blocks-title" class="panel-title">
        {t('newsletters.outline')}
      </h2>
      <IconSymbols names={['up', 'chevron', 'close', 'plus']} />
      {sections.length === 0 ? (
        <p class="muted">{t('newsletters.no_blocks_yet_add_blocks')}</p>
      ) : null}
      {canEdit ? (
        <Form context={context} action={`/newsletters/${newsletter.id}/order`}>
          <input type="hidden" name="view" value={attribute(view)} />
          {frame('cover') as 'safe'}
          {frame('intro') as 'safe'}
          {list as 'safe'}
          <ol
            class="newsletter-blocks drop-zone"
            id="section-end"
            data-sortable="newsletter"
            data-requires-script
            data-label={t('newsletters.drop_here')}
          ></ol>
          {frame('closing') as 'safe'}
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
    : `/library/${block.blockId}/edit`
}

/** The row of what belongs to the newsletter itself, above or below its blocks. */
function FrameRow({
  context,
  id,
  part,
  notices,
}: {
  context: MemberRequest
  id: string
  part: 'cover' | 'intro' | 'closing'
  notices: readonly Notice[]
}) {
  const { t } = context
  const target = part === 'cover' ? newsletterMarks.title : part
  return (
    <div id={`target-${target}`} class="frame-row" data-target={target}>
      <a class="outline-link" href={`/newsletters/${id}/frame?part=${part}`} data-edit>
        {t(frameLabels[part])}
      </a>
      {(<TargetWarnings context={context} notices={notices} target={target} />) as 'safe'}
    </div>
  )
}

const frameLabels = {
  cover: 'newsletters.cover',
  intro: 'newsletters.introduction',
  closing: 'newsletters.closing_text',
} as const

/** The heading of a section; a link to change it where the newsletter has the sections of its template. */
function SectionTitle({ href, id, title }: { href: string | null; id: string; title: string }) {
  return (
    <h3 data-target={id}>
      {href ? (
        <a class="outline-link" href={href} data-edit safe>
          {title}
        </a>
      ) : (
        <span safe>{title}</span>
      )}
    </h3>
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
    <p class="add-elements">
      {(['section', 'callout', 'poll', 'divider'] as const).map((type) => (
        <a
          class="button small"
          href={`/newsletters/${id}/elements/new?type=${type}`}
          aria-label={t(addElementLabels[type])}
          data-edit
        >
          <Icon name="plus" />
          {t(elementLabels[type])}
        </a>
      ))}
    </p>
  )
}
