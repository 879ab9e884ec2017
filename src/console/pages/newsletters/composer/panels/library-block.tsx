import type { ContentBlock } from '../../../../../contract/blocks/content-block.ts'
import { textLinesOf } from '../../../../../lib/html/sanitize-html.ts'
import { attribute } from '../../../../attribute.ts'
import { blockStatusBadges, blockTypeLabels } from '../../../../components/block.tsx'
import { formatDate } from '../../../../components/dates/date-time.tsx'
import { Icon, SharedIcon } from '../../../../components/icon.tsx'
import { BlockLogo } from '../../../../components/provider-logo.tsx'
import type { MemberRequest } from '../../../../http/context.ts'

interface LibraryBlockProps {
  context: MemberRequest
  block: ContentBlock
  /** The newsletter contains the block. */
  isAdded: boolean
}

/** A block of the library beside the newsletter, with the button that adds it. */
export function LibraryBlock({ context, block, isAdded }: LibraryBlockProps) {
  const { t } = context
  const { id, title } = block
  return (
    <li class="library-block" data-block={isAdded ? undefined : id}>
      <div class="block-text">
        <a href={`/library/${id}`} safe>
          {title}
        </a>
        <p class="excerpt" safe>
          {excerptOf(block)}
        </p>
        <LibraryBlockDetails context={context} block={block} />
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
          aria-label={t('newsletters.add', { title: attribute(title) })}
        >
          <SharedIcon name="plus" />
        </button>
      )}
    </li>
  )
}

/** Where a block is from and what it is about, and what is special about it. */
function LibraryBlockDetails({ context, block }: Omit<LibraryBlockProps, 'isAdded'>) {
  const { t, deps, userLocale } = context
  const { block_type, status, publish_after } = block
  const isEmbargoed = publish_after !== null && new Date(publish_after) > deps.now()
  return (
    <div class="library-block-details">
      <BlockLogo logos={deps.logos} block={block} />
      <span>{t(blockTypeLabels[block_type])}</span>
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
  )
}

const excerptCharacters = 110

/** The first words of a block as plain text. */
function excerptOf({ body, body_format }: ContentBlock): string {
  const start = body.slice(0, 4000)
  const text = body_format === 'html' ? textLinesOf(start) : start
  const words = [...text.replaceAll(/\s+/g, ' ').trim()]
  return words.length > excerptCharacters
    ? `${words.slice(0, excerptCharacters).join('')}…`
    : words.join('')
}
