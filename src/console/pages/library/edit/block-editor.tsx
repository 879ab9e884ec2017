import { blockTypes, imageSizes } from '../../../../contract/vocabulary.ts'
import { blockTypeLabels } from '../../../components/block.tsx'
import { formatTime } from '../../../components/dates/date-time.tsx'
import { ErrorSummary, Field, Form } from '../../../components/form/form.tsx'
import { FormButtons } from '../../../components/form/form-buttons.tsx'
import { imageFieldNames } from '../../../components/form/images/image-field.tsx'
import { TheirImage } from '../../../components/form/images/their-image.tsx'
import { TextArea } from '../../../components/form/text-area.tsx'
import {
  type Conflict,
  type Describe,
  OriginalTexts,
  TextConflictNotice,
  type Texts,
} from '../../../components/form/text-conflicts.tsx'
import {
  type BlockFieldsProps,
  BlockImageField,
  type EditableBlock,
  imageSizeTitles,
  OriginFields,
  PublicationFields,
} from './block-fields.tsx'

/** The values of a new block. */
export const emptyBlock: EditableBlock = {
  title: '',
  body: '',
  block_type: 'general',
  event_slug: null,
  image_url: null,
  image_alt: null,
  image_focal_x: null,
  image_focal_y: null,
  image_size: null,
  origin: null,
  publish_after: null,
}

interface BlockEditorProps extends BlockFieldsProps {
  action: string
  /** The version that the person edits; undefined for a new block. */
  version?: number
  /** The values as they are stored, for a block that exists. */
  originals?: Texts
  /** What another person has changed in the meantime. */
  conflicts?: readonly Conflict[]
  /** Whether both values of a field that two people have changed can be kept. */
  canKeepBoth?: (name: string) => boolean
  submitLabel: string
  cancelPath: string
}

/** Values of fields with one value, with the label of the field: “Type: Poll”. */
const describeChoices = ({ t, events, context: { userLocale } }: BlockEditorProps): Describe => ({
  block_type(value) {
    const type = blockTypes.find((one) => one === value)
    return type ? `${t('common.type')}: ${t(blockTypeLabels[type])}` : ''
  },
  event_slug(slug) {
    const name = events.find(({ value }) => value === slug)?.label ?? slug
    return slug && `${t('common.event')}: ${name}`
  },
  author: (value) => value && `${t('common.author')}: ${value}`,
  source_url: (value) => value && `${t('common.link')}: ${value}`,
  publish_after: (value) =>
    value && `${t('library.not_before')}: ${formatTime(userLocale, new Date(`${value}Z`))}`,
  image_size(value) {
    const size = imageSizes.find((one) => one === value)
    return `${t('library.size')}: ${t(size ? imageSizeTitles[size] : 'library.as_the_template_defines_it')}`
  },
})

/** The form of a block. */
export function BlockEditor(props: BlockEditorProps) {
  const { t, context, action, block, events, version, submitted, submitLabel, cancelPath } = props
  const { originals = {}, conflicts = [], canKeepBoth } = props
  return (
    <Form context={context} action={action} class="block-editor" id="block-form" upload draft>
      <ErrorSummary
        submitted={submitted}
        exceptFields={[
          ...Object.keys(emptyBlock),
          ...imageFieldNames,
          ...['author', 'source_url', 'context', 'tone', 'draft_type'],
        ]}
      />
      <TextConflictNotice
        t={t}
        conflicts={conflicts}
        describe={describeChoices(props)}
        elements={{ image: <TheirImage context={context} use={block} /> }}
        {...(canKeepBoth && { canKeepBoth })}
      />
      {version ? <input type="hidden" name="version" value={String(version)} /> : null}
      <OriginalTexts texts={originals} />
      <Field
        name="title"
        label={t('common.title')}
        value={block.title}
        required
        maxlength={255}
        submitted={submitted}
      />
      <TextArea
        name="body"
        label={t('common.body')}
        hint={t('library.plain_text_or_html_scripts')}
        rows={12}
        richText="images"
        value={block.body}
        required
        submitted={submitted}
      />
      <PublicationFields {...{ t, block, events, submitted }} />
      <OriginFields {...{ t, block, submitted }} />
      <BlockImageField {...{ t, context, block, submitted }} />
      <FormButtons t={t} label={submitLabel} cancelPath={cancelPath} />
    </Form>
  )
}
