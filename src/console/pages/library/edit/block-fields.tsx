import type { ContentBlock } from '../../../../contract/blocks/content-block.ts'
import { blockTypes, type ImageSize, imageSizes } from '../../../../contract/vocabulary.ts'
import { blockTypeLabels } from '../../../components/block.tsx'
import type { Option } from '../../../components/form/event-options.ts'
import { Field, Select } from '../../../components/form/form.tsx'
import { ImageField } from '../../../components/form/images/image-field.tsx'
import type { MemberRequest, SubmittedForm } from '../../../http/context.ts'
import type { ImageUse } from '../../../http/forms/image-form.ts'
import type { Translate } from '../../../locales/index.ts'

/** The fields of a block that its form contains. */
export type EditableBlock = ImageUse &
  Pick<
    ContentBlock,
    'title' | 'body' | 'block_type' | 'event_slug' | 'image_size' | 'origin' | 'publish_after'
  >

/** What forms call the sizes of an image. */
export const imageSizeTitles = {
  small: 'library.small',
  medium: 'library.medium',
  full_width: 'library.full_width',
} as const satisfies Record<ImageSize, string>

/** What the fields of the form show. */
export interface BlockFieldsProps {
  t: Translate
  context: MemberRequest
  block: EditableBlock
  /** The choices of the field for an event. */
  events: readonly Option[]
  submitted?: SubmittedForm | undefined
}

/** What the block is about, and when it may be published. */
export function PublicationFields({
  t,
  block,
  events,
  submitted,
}: Pick<BlockFieldsProps, 't' | 'block' | 'events' | 'submitted'>) {
  return (
    <div class="columns">
      <Select
        name="block_type"
        label={t('common.type')}
        options={blockTypes.map((value) => ({ value, label: t(blockTypeLabels[value]) }))}
        value={block.block_type}
        submitted={submitted}
      />
      <Select
        name="event_slug"
        label={t('common.event')}
        options={events}
        value={block.event_slug ?? ''}
        submitted={submitted}
      />
      <Field
        name="publish_after"
        label={t('library.not_before')}
        type="datetime-local"
        hint={t('library.in_utc_the_block')}
        value={block.publish_after?.slice(0, 16) ?? ''}
        submitted={submitted}
      />
    </div>
  )
}

/** Who wrote the block, and where it comes from. */
export function OriginFields({
  t,
  block,
  submitted,
}: Pick<BlockFieldsProps, 't' | 'block' | 'submitted'>) {
  return (
    <div class="columns">
      <Field
        name="author"
        label={t('common.author')}
        hint={t('library.author_hint')}
        value={block.origin?.author ?? ''}
        maxlength={255}
        submitted={submitted}
      />
      <Field
        name="source_url"
        label={t('common.link')}
        type="url"
        hint={t('library.link_hint')}
        value={block.origin?.url ?? ''}
        maxlength={2048}
        submitted={submitted}
      />
    </div>
  )
}

/** The image of the block, and its size in newsletters. */
export function BlockImageField({
  t,
  context,
  block,
  submitted,
}: Pick<BlockFieldsProps, 't' | 'context' | 'block' | 'submitted'>) {
  return (
    <ImageField
      t={t}
      context={context}
      use={block}
      label={t('library.image')}
      cropped
      submitted={submitted}
    >
      <Select
        name="image_size"
        label={t('library.size')}
        options={[
          { value: '', label: t('library.as_the_template_defines_it') },
          ...imageSizes.map((size) => ({ value: size, label: t(imageSizeTitles[size]) })),
        ]}
        value={block.image_size ?? ''}
        submitted={submitted}
      />
    </ImageField>
  )
}
