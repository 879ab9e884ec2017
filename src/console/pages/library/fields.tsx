import type { ContentBlock } from '../../../contract/content-block.ts'
import { type ImageSize, imageSizes } from '../../../contract/vocabulary.ts'
import { typeTitles } from '../../components/block.tsx'
import { ErrorSummary, Field, Form, Select } from '../../components/form.tsx'
import { TextArea } from '../../components/text-area.tsx'
import type { MemberRequest, SubmittedForm } from '../../http/context.ts'

type Fields = Pick<
  ContentBlock,
  'title' | 'body' | 'block_type' | 'event_slug' | 'image_url' | 'image_size' | 'publish_after'
>

const imageSizeTitles = {
  small: 'Small',
  medium: 'Medium',
  full_width: 'Full width',
} as const satisfies Record<ImageSize, string>

/** The fields of a new block. */
export const emptyBlock: Fields = {
  ...{ title: '', body: '', block_type: 'general', event_slug: null },
  ...{ image_url: null, image_size: null, publish_after: null },
}

interface BlockFieldsProps {
  context: MemberRequest
  action: string
  block: Fields
  /** The version that the fields show; a new block has none. */
  version?: number
  entry?: SubmittedForm | undefined
  save: string
  cancel: string
}

/** The fields of a block. */
export function BlockFields(props: BlockFieldsProps) {
  const { context, action: target, block, version, entry, save, cancel } = props
  return (
    <Form context={context} action={target} class="editing" id="block-form" draft>
      <ErrorSummary
        entry={entry}
        but={[...Object.keys(emptyBlock), 'context', 'tone', 'draft_type']}
      />
      {version ? <input type="hidden" name="version" value={String(version)} /> : null}
      <Field
        name="title"
        label="Title"
        value={block.title}
        required
        maxlength={255}
        entry={entry}
      />
      <TextArea
        name="body"
        label="Text"
        hint="Plain text or HTML. Scripts, forms and styles are removed."
        rows={12}
        value={block.body}
        required
        entry={entry}
      />
      <div class="columns">
        <Select
          name="block_type"
          label="Type"
          options={Object.entries(typeTitles).map(([value, label]) => ({ value, label }))}
          value={block.block_type}
          entry={entry}
        />
        <Field
          name="event_slug"
          label="Event"
          hint="The slug of an event, for example winter-break."
          value={block.event_slug ?? ''}
          entry={entry}
        />
        <Field
          name="image_url"
          label="Image"
          type="url"
          hint="The web address of the image."
          value={block.image_url ?? ''}
          entry={entry}
        />
        <Select
          name="image_size"
          label="Image size"
          options={[
            { value: '', label: 'As the template defines it' },
            ...imageSizes.map((size) => ({ value: size, label: imageSizeTitles[size] })),
          ]}
          value={block.image_size ?? ''}
          entry={entry}
        />
        <Field
          name="publish_after"
          label="Not before"
          type="datetime-local"
          hint="In UTC. The block is not sent earlier."
          value={block.publish_after?.slice(0, 16) ?? ''}
          entry={entry}
        />
      </div>
      <div class="row">
        <button type="submit" class="primary" safe>
          {save}
        </button>
        <a href={cancel}>Cancel</a>
      </div>
    </Form>
  )
}
